package dev.semel.cli.streams;

import dev.semel.cli.ByteSizes;
import dev.semel.cli.Console;
import dev.semel.stream.Offset;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The progress of an append, shown on a terminal. For one thread. */
final class AppendProgress {
  private static final Duration SHOWN_EVERY = Duration.ofMillis(200);

  private final Console console;
  private final long started = System.nanoTime();
  private long shown;
  private long lines;
  private long bytes;
  private @Nullable Offset end;

  AppendProgress(Console console) {
    this.console = console;
  }

  void sent(long moreLines, long moreBytes, Offset tail) {
    lines += moreLines;
    bytes += moreBytes;
    end = tail;
    long now = System.nanoTime();
    if (now - shown >= SHOWN_EVERY.toNanos() || shown == 0) {
      shown = now;
      double seconds = Math.max(1e-3, (now - started) / 1e9);
      console.progress(
          "appended %s, %s/s".formatted(amount(), ByteSizes.text((long) (bytes / seconds))));
    }
  }

  void clear() {
    console.progress("");
  }

  /** Notes what is appended, for a user who must continue from here. */
  void tellAppended() {
    console.note("%s are appended".formatted(amount()));
  }

  long lines() {
    return lines;
  }

  long bytes() {
    return bytes;
  }

  /** The stream's tail after the last append; empty: there was none. */
  Optional<Offset> end() {
    return Optional.ofNullable(end);
  }

  String amount() {
    return "%d %s, %s".formatted(lines, lines == 1 ? "line" : "lines", ByteSizes.text(bytes));
  }
}
