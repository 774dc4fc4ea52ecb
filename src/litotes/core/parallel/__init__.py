"""Where work runs: this process, local processes, or a Ray cluster."""
