"""Problems for sampling many answers, and how they are put to a model."""
