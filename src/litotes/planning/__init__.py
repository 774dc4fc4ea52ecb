"""What a job will take before it is run: records, processor time, memory, disk, and time and cost on a cluster."""
