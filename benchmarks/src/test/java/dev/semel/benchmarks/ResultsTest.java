package dev.semel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultsTest {
  @TempDir private Path folder;

  @Test
  void whatARaceSawIsReplacedAndTheOthersStay() throws IOException {
    Path file = folder.resolve("results.csv");
    Results.Table memory =
        new Results.Table("early", List.of(Figure.alone("rate", 10, "/s", Double.NaN)));
    Results.of(file).put("memory", memory);
    Results.of(file)
        .put("redis", new Results.Table("early", List.of(Figure.beside("a", 1, "/s", "b", 2))));
    Results.Table later =
        new Results.Table(
            "late",
            List.of(new Figure("a", 3, "/s", "b", true, 2, new Figure.Spread(1.5, 1.25, 2), 1.0)));
    Results.of(file).put("redis", later);

    assertThat(Results.of(file).tables())
        .containsOnlyKeys("memory", "redis")
        .containsEntry("memory", memory)
        .containsEntry("redis", later);
  }

  @Test
  void lessIsBetterUnlessItIsARate() {
    assertThat(Figure.alone("rate", 99, "/s", 100).verdict()).isEqualTo("missed");
    assertThat(Figure.alone("time", 99, "ms", 100).verdict()).isEqualTo("met");
    assertThat(Figure.beside("time", 2, "ms", "other", 8).ratio().median()).isEqualTo(4);
    assertThat(Figure.alone("any", 99, "ms", Double.NaN).verdict()).isEmpty();
  }

  @Test
  void whatWouldEndAColumnIsRefused() {
    assertThatThrownBy(() -> Figure.alone("a;b", 1, "/s", 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Results.Table("here; busy", List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(new Results.Table(Machine.now(), List.of()).seen()).contains("load average");
  }
}
