"""HTML pages: the Jinja2 environment, the base template and the base style sheet."""
