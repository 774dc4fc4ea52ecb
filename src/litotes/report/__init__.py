"""Reports on runs and audits: tables, figures and HTML pages."""
