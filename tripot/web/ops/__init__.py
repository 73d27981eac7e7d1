"""Running a server: start, settings, limits, logs, metrics, errors."""
