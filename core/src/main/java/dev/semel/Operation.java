package dev.semel;

import dev.semel.internal.NameSyntax;

/** A named thing that must happen once per id: a route, a job queue, a consumer, a command. */
public record Operation(String name) {
  public Operation {
    NameSyntax.check("operation", name);
  }

  @Override
  public String toString() {
    return name;
  }
}
