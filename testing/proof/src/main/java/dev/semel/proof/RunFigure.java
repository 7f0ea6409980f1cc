package dev.semel.proof;

/**
 * A number of a run.
 *
 * @param name as programs know it
 * @param what for people
 */
public record RunFigure(String name, long number, String what) {}
