package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.admin.AdminTargets;
import dev.semel.cli.run.LatencyHistogram;
import dev.semel.jdbc.SqliteStore;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.stream.MemoryStreams;
import dev.semel.testservices.TmuxTerminal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * A user holds a key down at a real terminal, with more keys in the store than one read returns.
 */
class TuiScrollTest {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Pattern PLACE = Pattern.compile("Idempotency keys ([0-9,]+)/([0-9,]+)");
  private static final int FEW = 6_000;
  private static final int SOME = 20_000;
  private static final int MANY = 1_000_000;

  /** Rows that PgDn goes at 80×24. */
  private static final int PAGE = 18;

  @TempDir Path folder;

  private static long place(TmuxTerminal terminal) {
    Matcher title = PLACE.matcher(terminal.screen());
    return title.find() ? Long.parseLong(title.group(1).replace(",", "")) : -1;
  }

  private static void comesTo(TmuxTerminal terminal, long place) {
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(() -> assertThat(place(terminal)).isEqualTo(place));
  }

  /** In bursts; after each one, a frame must show that the screen moves on. */
  private static void lean(TmuxTerminal terminal, String key, int times, int bursts) {
    for (int i = 0; i < bursts; i++) {
      long before = place(terminal);
      terminal.hold(key, times / bursts);
      await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(5))
          .until(() -> place(terminal) != before);
    }
  }

  private void scrollsThrough(int keys, int times, Map<String, String> environment) {
    try (TmuxTerminal terminal = TuiProgram.start(folder, 80, 24, environment)) {
      await().atMost(LIMIT).until(() -> terminal.screen().contains("2 Keys"));
      terminal.press("2");
      comesTo(terminal, 1);
      lean(terminal, "PageDown", 200 * times, 4);
      long down = 1 + 200L * times * PAGE;
      comesTo(terminal, down);
      lean(terminal, "Down", 500 * times, 5 * times);
      down += 500L * times;
      comesTo(terminal, down);
      lean(terminal, "PageUp", 176 * times, 4);
      down -= 176L * times * PAGE;
      comesTo(terminal, down);
      lean(terminal, "Up", 250 * times, 10);
      comesTo(terminal, down - 250L * times);
      terminal.press("End");
      comesTo(terminal, keys);
      lean(terminal, "Up", 500 * times, 10);
      comesTo(terminal, keys - 500L * times);
      terminal.press("Home");
      comesTo(terminal, 1);
      if (keys == MANY) {
        measure(terminal);
      }
      terminal.press("q");
      await().atMost(LIMIT).until(() -> terminal.screen().contains("ended with 0"));
    }
  }

  /**
   * Reports without a check: it measures the machine, and two starts of tmux, as much as the
   * command.
   */
  private static void measure(TmuxTerminal terminal) {
    LatencyHistogram latencies = new LatencyHistogram();
    for (int i = 2; i <= 500; i++) {
      long wanted = i;
      long pressed = System.nanoTime();
      terminal.press("Down");
      await()
          .atMost(LIMIT)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(1))
          .until(() -> place(terminal) == wanted);
      latencies.add(System.nanoTime() - pressed);
    }
    System.out.printf(
        Locale.ROOT,
        "a key to its frame, seen through tmux: p50 %.1f ms, p99 %.1f ms, longest %.1f ms%n",
        latencies.percentile(50) / 1e6,
        latencies.percentile(99) / 1e6,
        latencies.longest() / 1e6);
  }

  @Test
  @Tag("service")
  void everyPressCountsBeforeAStore() throws Exception {
    Records.many(folder.resolve("shop.db"), FEW);
    scrollsThrough(FEW, 1, Map.of("SEMEL_STORE", "sqlite:shop.db"));
  }

  @Test
  @Tag("proof")
  void everyPressCountsBeforeAServer() throws Exception {
    Records.many(folder.resolve("shop.db"), SOME);
    try (SqliteStore store = SqliteStore.open(folder.resolve("shop.db"), InstantSource.system());
        SemelServer server =
            SemelServer.start(
                dev.semel.server.ServerSettings.defaults().withAddress("127.0.0.1", 0),
                ServerBackend.of(new MemoryStreams(InstantSource.system()))
                    .withTargets(AdminTargets.of(store)))) {
      scrollsThrough(SOME, 4, Map.of("SEMEL_URL", "http://127.0.0.1:" + server.port()));
    }
  }

  @Test
  @Tag("proof")
  void everyPressCountsBeforeAMillionKeys(TestReporter report) throws Exception {
    report.publishEntry("keys", "" + MANY);
    Records.many(folder.resolve("shop.db"), MANY);
    scrollsThrough(MANY, 4, Map.of("SEMEL_STORE", "sqlite:shop.db"));
  }
}
