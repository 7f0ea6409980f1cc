package dev.semel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PageTest {
  private static final String PROSE =
      """
      # Figures
      <!-- figures: peers -->
      <!-- end -->
      Before.
      <!-- figures: redis -->
      old
      <!-- end -->
      After.
      <!-- figures: kafka -->
      not run again
      <!-- end -->
      """;

  private static final Results.Table REDIS =
      new Results.Table(
          "Seen today.",
          List.of(
              new Figure(
                  "first", 1234, "/s", "raw", false, 2468, new Figure.Spread(0.5, 0.4, 0.6), 0.7),
              Figure.beside("lock", 10, "µs", "a peer", 25).withPeer(),
              Figure.alone("bytes", 243, "bytes", 250)));

  @Test
  void tablesAreReplacedAndProseIsKept() {
    assertThat(Page.page(PROSE, Map.of("redis", REDIS)))
        .isEqualTo(
            """
            # Figures
            <!-- figures: peers -->
            | | ours | in the same run | ratio (per round) | goal | |
            |---|---|---|---|---|---|
            | lock | 10.0 µs | a peer: 25.0 µs | 2.50 |  |  |

            <!-- end -->
            Before.
            <!-- figures: redis -->
            | | ours | in the same run | ratio (per round) | goal | |
            |---|---|---|---|---|---|
            | first | 1,230/s | raw: 2,470/s | 0.50 (0.40–0.60) | 0.70 | missed |
            | lock | 10.0 µs | a peer: 25.0 µs | 2.50 |  |  |
            | bytes | 243 bytes |  |  | 250 bytes | met |

            Seen today.

            <!-- end -->
            After.
            <!-- figures: kafka -->
            not run again
            <!-- end -->
            """);
  }

  @Test
  void writingTwiceIsWritingOnce() {
    String once = Page.page(PROSE, Map.of("redis", REDIS));
    assertThat(Page.page(once, Map.of("redis", REDIS))).isEqualTo(once);
  }

  @Test
  void aRaceWithoutItsMarkersIsRefused() {
    assertThatThrownBy(() -> Page.page(PROSE, Map.of("nats", REDIS)))
        .hasMessageContaining("<!-- figures: nats -->");
  }

  @Test
  void everyRaceHasItsMarkersInTheReadme() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    for (String race : Main.ALL) {
      assertThat(readme).containsOnlyOnce(Tables.marker(race));
      assertThat(Tables.fill(readme, race, "")).contains("<!-- end -->");
    }
  }

  @Test
  void theReadmeShowsTheFiguresThatAreKept() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    assertThat(Page.page(readme, Results.of(Path.of("results.csv")).tables())).isEqualTo(readme);
  }
}
