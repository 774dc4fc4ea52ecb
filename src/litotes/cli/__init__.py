"""The command `litotes`: one file a command; each parses, calls the API and prints."""
