package dev.semel.transport.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LogPositionTest {
  private static final List<LogPosition> PLACES =
      List.of(
          new LogPosition("a", "", "1"),
          new LogPosition("b", "7", "8"),
          new LogPosition("a", "1", "2"),
          new LogPosition("a", "2", "5"),
          new LogPosition("b", "8", "9"));

  @Test
  void allOver() {
    assertThat(LogPosition.reached(PLACES, i -> true))
        .containsExactly(new LogPosition("a", "", "5"), new LogPosition("b", "7", "9"));
  }

  @Test
  void aPartitionEndsBeforeTheFirstThatIsNotOver() {
    assertThat(LogPosition.reached(PLACES, i -> i != 2 && i != 1))
        .containsExactly(new LogPosition("a", "", "1"));
  }

  @Test
  void nothingIsSkippedWhereSomethingIsMissing() {
    List<LogPosition> torn = List.of(new LogPosition("a", "", "1"), new LogPosition("a", "2", "3"));
    assertThat(LogPosition.reached(torn, i -> true)).containsExactly(new LogPosition("a", "", "1"));
  }
}
