"""Where the tool-use loop breaks: labels of all raters, their rates, costs and agreement."""
