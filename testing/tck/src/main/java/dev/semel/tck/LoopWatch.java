package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.loop.internal.LoopFailures;

/**
 * Hears what becomes known of a background loop that fails: a log line, an event and a count. Made
 * before the loop starts; the test waits with {@code await().untilAsserted(watch::assertTold)}.
 *
 * <p>The count must rise while this watches. Lines and events come at most once a minute for each
 * name, so the line and the event of an earlier failure in the same process count, too.
 */
public final class LoopWatch {
  private final String loop;
  private final long before;

  private LoopWatch(String loop) {
    this.loop = loop;
    this.before = LoopFailures.count(loop);
  }

  /** Begins to watch. */
  public static LoopWatch of(String loop) {
    LoopReports.listen();
    return new LoopWatch(loop);
  }

  /** There was all of it. */
  public void assertTold() {
    assertCounted();
    assertThat(LoopReports.lines())
        .as("lines in the log")
        .anyMatch(line -> line.startsWith("background loop " + loop + " failed"));
  }

  /** The same without the line, for programs whose log goes elsewhere. */
  public void assertCounted() {
    assertThat(LoopFailures.count(loop)).as("failures of " + loop).isGreaterThan(before);
    assertThat(LoopReports.events()).as("loops with an event").contains(loop);
  }
}
