package dev.semel.cli.messages;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.outbox.spi.OutboxOperations.Filter;
import dev.semel.outbox.spi.OutboxOperations.State;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that select messages. */
final class OutboxFilterOptions {
  @Option(names = "--destination", paramLabel = "NAME", description = "Only to this one.")
  private String destination = "";

  @Option(names = "--id", paramLabel = "ID", description = "Only this one.")
  private @Nullable String id;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Not before, such as 2026-01-31T10:00:00Z.")
  private @Nullable String from;

  @Option(names = "--until", paramLabel = "TIME", description = "Before.")
  private @Nullable String until;

  Filter filter() {
    return new Filter(destination, Optional.ofNullable(id), time(from), time(until));
  }

  boolean everything() {
    return filter().equals(Filter.ALL);
  }

  private static Optional<Instant> time(@Nullable String text) {
    try {
      return Optional.ofNullable(text).map(Instant::parse);
    } catch (DateTimeParseException e) {
      throw new InvalidInput(
          "%s is no time: write it as 2026-01-31T10:00:00Z"
              .formatted(PrintableText.quoted(String.valueOf(text))));
    }
  }

  /** Parses a state. */
  static State state(String text) {
    try {
      return State.valueOf(text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new InvalidInput(
          "there is no state %s: use pending, dead or published"
              .formatted(PrintableText.quoted(text)));
    }
  }
}
