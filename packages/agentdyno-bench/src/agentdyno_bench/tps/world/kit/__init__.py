"""Building blocks of the world's servers: tools, seeded data, errors, dates, geography."""
