package dev.semel.cli;

/** What came of a command: how it ended and what it wrote. */
record RunResult(int exitCode, CapturedOutput out, CapturedOutput err) {}
