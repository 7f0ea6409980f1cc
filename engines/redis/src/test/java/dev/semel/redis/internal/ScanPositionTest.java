package dev.semel.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScanPositionTest {
  @Test
  void beginningIsWhereRedisBegins() {
    assertThat(ScanPosition.parse("")).isEqualTo(new ScanPosition("0", "", ""));
  }

  @Test
  void textIsReadBack() {
    for (ScanPosition position :
        List.of(
            new ScanPosition("17", "", ""),
            new ScanPosition("0", "18446744073709551615", "default/payments:a,b:c"))) {
      assertThat(ScanPosition.parse(position.text())).isEqualTo(position);
    }
  }

  @Test
  void partThatWasShownIsLeftOutOnlyWhileTheScanLeadsToTheSamePlace() {
    ScanPosition within = new ScanPosition("5", "9", "default/payments:m");
    assertThat(within.after("9")).isEqualTo("default/payments:m");
    assertThat(within.after("13")).isEmpty();
    assertThat(new ScanPosition("5", "", "").after("9")).isEmpty();
  }

  @Test
  void whatIsNoCursorIsRefused() {
    for (String cursor : List.of("x", "-1", "1,2", "1,2,", "1,,a", " 1", "123456789012345678901")) {
      assertThatThrownBy(() -> ScanPosition.parse(cursor))
          .as(cursor)
          .isInstanceOf(InvalidInput.class);
    }
  }
}
