package dev.semel.cli.run;

/** The result of a command: exit code and output. */
public record RunResult(int exitCode, CapturedOutput out, CapturedOutput err) {}
