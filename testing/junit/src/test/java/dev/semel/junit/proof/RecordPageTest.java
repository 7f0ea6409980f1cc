package dev.semel.junit.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RecordPageTest {
  private static final List<Part> PARTS =
      List.of(
          new Part("semel-redis", "dev.semel.redis.RedisKillTest", Guarantee.ONE_RUNS),
          new Part("semel-jdbc", "dev.semel.jdbc.PostgresKillTest", Guarantee.ONE_RUNS),
          new Part("semel-nats", "dev.semel.nats.StreamsKillTest", Guarantee.APPENDS));

  private static RecordLine line(String commit, String part, String rest) {
    return RecordLine.parse(
        "2026-11-18T07:00:00Z\t%s\ttree-%s\t%s\t%s"
            .formatted(commit, commit.replace("+", ""), part, rest.replace('|', '\t')));
  }

  private static final List<RecordLine> LINES =
      List.of(
          line(
              "aaa",
              "semel-redis/RedisKillTest",
              "one-runs|passed|1800|seed=7 kills=60 keys=6000|"),
          line("bbb+", "semel-redis/RedisKillTest", "one-runs|passed|1800|seed=8 kills=70|"),
          line("bbb+", "semel-jdbc/PostgresKillTest", "one-runs|failed|7|kills=5|x: lost <b>c`"));

  @Test
  void figuresOfRunsThatPassedAreAddedUp() {
    assertThat(RecordPage.of(PARTS, LINES))
        .contains("one runs | 2 | 3 | 2 | 1.0 | 6,000 keys, 130 kills |\n")
        .contains("survives `kill -9` | 1 | 0 | 0 | 0.0 |  |\n");
  }

  @Test
  void newestCommitSaysWhatFailedAndWhatDidNotRun() {
    assertThat(RecordPage.of(PARTS, LINES))
        .contains("`bbb` with changes that were not committed, last run on 2026-11-18:")
        .contains(": 1 passed, 1 failed of 3 parts.")
        .contains("- **semel-jdbc/PostgresKillTest**: `x: lost <b>c'`")
        .contains("Not run on it:\n\n- semel-nats/StreamsKillTest\n");
  }

  @Test
  void everyPartIsThereWithItsLastRun() {
    assertThat(RecordPage.of(PARTS, LINES))
        .contains(
            "| semel-redis/RedisKillTest | passed | bbb+ | 2026-11-18 | 1800 | seed 8, 70 kills |\n")
        .contains("| semel-jdbc/PostgresKillTest | **failed** | bbb+ |")
        .contains("| semel-nats/StreamsKillTest | not run yet |  |  |  |  |\n");
  }

  @Test
  void aRecordWithoutLinesIsNoError() {
    assertThat(RecordPage.of(PARTS, List.of())).contains("Nothing is recorded yet.");
  }

  @Test
  void whatIsNoLineIsRefused() {
    assertThatThrownBy(() -> RecordLine.parse("<<<<<<< HEAD"))
        .hasMessage("not a line of the record: <<<<<<< HEAD");
  }
}
