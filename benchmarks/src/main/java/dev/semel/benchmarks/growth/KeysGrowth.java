package dev.semel.benchmarks.growth;

import dev.semel.Key;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Measures growing numbers of finished records: their size, and the speed of new and of known keys.
 */
public final class KeysGrowth {
  static final int WORKERS = 16;
  private static final int COMPARED = 1_000;

  private final PrintStream out;
  private final Figures figures;

  private KeysGrowth(PrintStream out, Figures figures) {
    this.out = out;
    this.figures = figures;
  }

  /** Prints and draws the figures, together with earlier runs' figures of other engines. */
  public static void run(
      PrintStream out, Path plots, Path folder, String engine, List<Integer> sizes)
      throws Exception {
    Figures figures = Figures.of(plots, "keys");
    for (int size : sizes) {
      // A new store for each size: otherwise one size's test records would be among the next one's.
      try (FilledStore filled = filled(engine, folder.resolve("keys-" + size))) {
        new KeysGrowth(out, figures).grow(filled, size);
      }
    }
    draw(plots);
    figures.print(out, "keys");
  }

  private static FilledStore filled(String engine, Path file) {
    return switch (engine) {
      case "memory" -> new FilledMemory();
      case "sqlite" -> new FilledSqlite(file);
      case "postgres" -> new FilledPostgres();
      case "redis" -> new FilledRedis();
      default -> throw new IllegalArgumentException("no such engine: " + engine);
    };
  }

  /** Draws the figures so far. */
  public static void draw(Path plots) throws IOException {
    Axis x = Axis.log("finished records");
    Figures.of(plots, "keys")
        .draw("keys-size", "MB", "What they take up", x, Axis.log("MB"))
        .draw("keys-p99", "p99 µs", "A new key, 16 workers", x, Axis.log("p99, µs"))
        .draw("keys-rate", "executions/s", "New keys, 16 workers", x, Axis.log("a second"))
        .draw(
            "keys-replay-p99", "replay p99 µs", "A known key, 16 workers", x, Axis.log("p99, µs"));
  }

  private void grow(FilledStore filled, int size) throws Exception {
    long started = System.nanoTime();
    filled.fill(0, size);
    out.printf(
        Locale.ROOT,
        "%s: %,d records after %.1f s%n",
        filled.name(),
        size,
        (System.nanoTime() - started) / 1e9);
    long bytes = filled.bytes();
    figures
        .put("MB", filled.name(), size, bytes / 1e6)
        .put("bytes/key", filled.name(), size, (double) bytes / size);
    measure(filled, size);
  }

  private void measure(FilledStore filled, int size) throws Exception {
    Load load =
        new Load(Thread.ofPlatform().daemon().factory(), filled.time(), filled::serviceNanos);
    try (Idempotency idempotency = new Idempotency(filled.store(), SemelListener.NONE)) {
      compare(idempotency, size);
      Load.Seen fresh = load.warmAndRun(WORKERS, number -> probe(idempotency));
      Load.Seen known =
          load.warmAndRun(
              WORKERS,
              number -> expectReplay(idempotency, ThreadLocalRandom.current().nextLong(size)));
      figures
          .put("executions/s", filled.name(), size, fresh.rate())
          .put("p50 µs", filled.name(), size, fresh.p50())
          .put("p99 µs", filled.name(), size, fresh.p99())
          .put("processor µs, client", filled.name(), size, fresh.here())
          .put("processor µs, server", filled.name(), size, fresh.there())
          .put("replays/s", filled.name(), size, known.rate())
          .put("replay p99 µs", filled.name(), size, known.p99());
    }
  }

  private static void probe(Idempotency idempotency) {
    Key key = FilledStore.key(UUID.randomUUID().toString());
    if (!(FilledStore.execute(idempotency, key) instanceof Outcome.Executed)) {
      throw new IllegalStateException("a new key was known: " + key);
    }
  }

  /** Checks that the store accepts the added records as its own. */
  private static void compare(Idempotency idempotency, int size) {
    ThreadLocalRandom.current().longs(COMPARED, 0, size).forEach(n -> expectReplay(idempotency, n));
  }

  private static void expectReplay(Idempotency idempotency, long number) {
    Outcome<String> outcome =
        FilledStore.execute(idempotency, FilledStore.key(FilledStore.id(number)));
    if (!(outcome instanceof Outcome.Replayed<String> replayed
        && replayed.result().equals(FilledStore.RESPONSE))) {
      throw new IllegalStateException("record %d gave %s".formatted(number, outcome));
    }
  }
}
