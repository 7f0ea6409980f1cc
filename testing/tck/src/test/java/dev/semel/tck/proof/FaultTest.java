package dev.semel.tck.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultTest {
  @Test
  void listsAreReadInTheirOrderAndOnce() {
    assertThat(Fault.parse("stop, lost-answers,stop"))
        .isEqualTo(List.of(Fault.STOP, Fault.LOST_ANSWERS));
    assertThat(Fault.parse("all")).containsExactly(Fault.values());
    assertThat(Fault.parse("none")).isEmpty();
  }

  @Test
  void unknownNamesAreAnsweredWithThoseThereAre() {
    for (String text : List.of("", "kill,", "KILL", "all,kill", "lost_answers", "\u001b[31m")) {
      assertThatThrownBy(() -> Fault.parse(text))
          .as(text)
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("delay, cut, silent, lost-answers, kill, stop, all and none")
          .hasMessageNotContaining("\u001b");
    }
  }
}
