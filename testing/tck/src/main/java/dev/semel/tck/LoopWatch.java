package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.loop.internal.LoopFailures;

/**
 * Checks that a background loop's failure is reported: by a log line, an event and a count. Create
 * it before the loop starts, and wait with {@code await().untilAsserted(watch::assertTold)}.
 *
 * <p>The count must rise while this watches. Lines and events are limited to one per minute and
 * name, so the line and the event of an earlier failure in the same process count, too.
 */
public final class LoopWatch {
  private final String loop;
  private final long before;

  private LoopWatch(String loop) {
    this.loop = loop;
    this.before = LoopFailures.count(loop);
  }

  /** Starts watching. */
  public static LoopWatch of(String loop) {
    LoopReports.listen();
    return new LoopWatch(loop);
  }

  /** Checks for line, event and count. */
  public void assertTold() {
    assertCounted();
    assertThat(LoopReports.lines())
        .as("lines in the log")
        .anyMatch(line -> line.startsWith("background loop " + loop + " failed"));
  }

  /** Checks for event and count only, for programs whose log goes elsewhere. */
  public void assertCounted() {
    assertThat(LoopFailures.count(loop)).as("failures of " + loop).isGreaterThan(before);
    assertThat(LoopReports.events()).as("loops with an event").contains(loop);
  }
}
