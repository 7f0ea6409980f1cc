package dev.semel;

import dev.semel.internal.NameSyntax;

/**
 * What must happen once per id: a route, a job queue, a consumer, a command. Settings and counts
 * are per operation.
 */
public record Operation(String name) {
  public Operation {
    NameSyntax.check("operation", name);
  }

  @Override
  public String toString() {
    return name;
  }
}
