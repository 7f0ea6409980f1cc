package dev.semel.proof.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.proof.history.MessageChecker.Message;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageCheckerTest {
  private static final List<Message> PUBLISHED =
      List.of(
          new Message("a1", "a", true),
          new Message("b1", "b", true),
          new Message("a2", "a", false),
          new Message("a3", "a", true),
          new Message("free", "", true));

  private static List<String> wrong(String... effects) {
    return MessageChecker.check(PUBLISHED, List.of(effects));
  }

  @Test
  void orderCountsWithinAnOrderingKeyOnly() {
    assertThat(wrong("free", "b1", "a1", "a2", "a3")).isEmpty();
    assertThat(wrong("a1", "a3", "free", "b1")).isEmpty();
  }

  @Test
  void messageTookEffectTwice() {
    assertThat(wrong("a1", "b1", "a1", "a3", "free")).containsExactly("a1 took effect twice");
  }

  @Test
  void messageTookEffectAfterALaterOne() {
    assertThat(wrong("a1", "a3", "a2", "b1", "free"))
        .containsExactly("a2 of a took effect after a3, which was published later");
  }

  @Test
  void acknowledgedMessageIsMissing() {
    assertThat(wrong("a1", "b1", "free"))
        .containsExactly("a3 was acknowledged and never took effect");
  }

  @Test
  void effectOfNoOnesMessage() {
    assertThat(wrong("a1", "b1", "x", "a3", "free")).containsExactly("nobody published x");
  }
}
