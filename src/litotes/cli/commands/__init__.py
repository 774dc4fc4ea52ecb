"""The commands of `litotes`: each module parses the options of one command, calls the API and prints the result."""
