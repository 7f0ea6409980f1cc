package dev.semel.cli.run;

/** What came of a command: how it ended and what it wrote. */
public record RunResult(int exitCode, CapturedOutput out, CapturedOutput err) {}
