"""What every room stands on: errors, files, paths, names, progress, versions."""
