package dev.semel.admin;

import java.util.List;

/** Whether what an targets is made of can be reached, and what about it is dangerous. */
public record HealthReport(List<Part> parts) {
  /** From good to bad. */
  public enum Level {
    OK,
    /** It works, but something about its set-up can break the promise. */
    WARNING,
    /** It can't be reached. */
    AWAY
  }

  /**
   * One of them.
   *
   * @param name such as {@code store}
   * @param says what to know, a sentence each; never with a password
   */
  public record Part(String name, String where, Level level, List<String> says) {
    public Part {
      says = List.copyOf(says);
    }
  }

  public HealthReport {
    parts = List.copyOf(parts);
  }

  /** As bad as its worst part. */
  public Level level() {
    return parts.stream().map(Part::level).reduce(Level.OK, (a, b) -> a.compareTo(b) < 0 ? b : a);
  }
}
