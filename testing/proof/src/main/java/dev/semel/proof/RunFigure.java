package dev.semel.proof;

/**
 * A figure of a run.
 *
 * @param name its name in programs
 * @param what its description for the report
 */
public record RunFigure(String name, long number, String what) {}
