"""What every server of the world is made with: tools, seeded data, errors, dates, geography."""
