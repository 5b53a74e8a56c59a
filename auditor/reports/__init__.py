"""What an audit found, for people and for programs: one module a format, none of which judges anything."""
