package dev.semel.admin;

import java.util.List;

/**
 * The answer of a health check: whether each part can be reached, and which hazards its set-up has.
 */
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
   * The health of one part.
   *
   * @param name such as {@code store}
   * @param says the hazards or the failure, a sentence each; never with a password
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
