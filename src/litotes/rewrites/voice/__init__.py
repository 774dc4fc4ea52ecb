"""Voice: the verb chain of a clause, what can become its subject, and what stays where."""
