package dev.semel.proof.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.proof.history.LogChecker.Append;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogCheckerTest {
  private static final List<Append> APPENDS =
      List.of(
          new Append("p", "p1", true),
          new Append("q", "q1", true),
          new Append("p", "p2", false),
          new Append("p", "p3", true));

  private static List<String> wrong(String... read) {
    return LogChecker.check(APPENDS, List.of(read));
  }

  @Test
  void unacknowledgedAppendMayBeThereOrNot() {
    assertThat(wrong("q1", "p1", "p2", "p3")).isEmpty();
    assertThat(wrong("p1", "p3", "q1")).isEmpty();
  }

  @Test
  void acknowledgedAppendIsMissing() {
    assertThat(wrong("p1", "p3")).containsExactly("q1 of q was acknowledged and is missing");
  }

  @Test
  void appendIsThereTwiceEvenIfNobodyAcknowledgedIt() {
    assertThat(wrong("p1", "q1", "p2", "p2", "p3")).containsExactly("p2 of p is there twice");
  }

  @Test
  void appendComesAfterALaterOneOfItsProducer() {
    assertThat(wrong("p1", "p3", "p2", "q1"))
        .containsExactly("p2 of p comes after p3, which it appended later");
  }

  @Test
  void entryIsOfNoOne() {
    assertThat(wrong("p1", "x", "q1", "p3")).containsExactly("nobody appended x");
  }

  @Test
  void entriesMustBeTellableApart() {
    assertThatThrownBy(
            () ->
                LogChecker.check(
                    List.of(new Append("p", "1", true), new Append("q", "1", true)), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
