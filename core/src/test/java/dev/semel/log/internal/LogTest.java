package dev.semel.log.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LogTest {
  private record Line(System.Logger.Level level, String text, boolean stack) {}

  private final List<Line> lines = new ArrayList<>();
  private long now;
  private int made;
  private final Log log = new Log(Kept::new, 2, () -> now);

  /** Keeps what would be written. */
  private final class Kept implements System.Logger {
    @Override
    public String getName() {
      return "kept";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String text, @Nullable Throwable thrown) {
      lines.add(new Line(level, text, thrown != null));
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        String text,
        Object @Nullable ... parameters) {
      lines.add(new Line(level, text, false));
    }
  }

  private List<String> texts() {
    return lines.stream().map(Line::text).toList();
  }

  @Test
  void linesBeyondTheLimitAreCountedAndTheNextMinuteSaysHowMany() {
    for (int i = 0; i < 5; i++) {
      log.warn("orders", "line " + i);
    }
    assertThat(texts()).containsExactly("line 0", "line 1");
    now += Log.WINDOW.toNanos();
    log.warn("orders", "later");
    assertThat(texts()).last().isEqualTo("later (3 more like this were not logged)");
    log.warn("orders", "again");
    assertThat(texts()).last().isEqualTo("again");
  }

  @Test
  void aTextBeyondTheLimitIsNotEvenMade() {
    for (int i = 0; i < 5; i++) {
      log.warn(
          "orders",
          () -> {
            made++;
            return "line";
          });
    }
    assertThat(made).isEqualTo(2);
  }

  @Test
  void oneSubjectDoesNotUseUpAnothersLimit() {
    for (int i = 0; i < 5; i++) {
      log.warn("orders", "line");
    }
    log.warn("exports", "other");
    assertThat(texts()).contains("other");
  }

  @Test
  void subjectsBeyondTheLimitShareOne() {
    for (int i = 0; i < Log.MAX_SUBJECTS + 10; i++) {
      log.warn("subject " + i, "line");
    }
    assertThat(lines).hasSize(Log.MAX_SUBJECTS + 2);
  }

  @Test
  void anExceptionComesWithItsStackTheFirstTimeAndOnceAnHour() {
    assertThat(log.warn("relay", "failed", new IllegalStateException("one"))).isTrue();
    assertThat(log.warn("relay", "failed", new IllegalStateException("two"))).isTrue();
    assertThat(log.warn("relay", "failed", new IllegalStateException("three"))).isFalse();
    now += Log.WINDOW.toNanos();
    log.warn("relay", "failed", new IllegalArgumentException("another kind"));
    now += Log.STACK_EVERY.toNanos();
    log.warn("relay", "failed", new IllegalArgumentException("an hour later"));
    assertThat(lines).extracting(Line::stack).containsExactly(true, false, true, true);
    assertThat(texts().get(1)).isEqualTo("failed: java.lang.IllegalStateException: two");
  }

  @Test
  void whatComesFromOutsideCannotForgeALineOrFillTheLog() {
    log.warn("x", "id \n2026 WARNING forged\u001b[2J" + "y".repeat(10_000));
    assertThat(texts().get(0)).doesNotContain("\n", "\u001b").hasSizeLessThan(Log.MAX_LINE + 100);
  }
}
