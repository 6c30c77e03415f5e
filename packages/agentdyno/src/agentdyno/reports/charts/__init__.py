"""Pictures of the analyses: values in, charts out, as inline SVG for a page or PNG files."""
