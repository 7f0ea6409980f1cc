package dev.semel.proof.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessFaultTest {
  @Test
  void listsAreReadInTheirOrderAndOnce() {
    assertThat(ProcessFault.parse("stop, lost-answers,stop"))
        .isEqualTo(List.of(ProcessFault.STOP, ProcessFault.LOST_ANSWERS));
    assertThat(ProcessFault.parse("all")).containsExactly(ProcessFault.values());
    assertThat(ProcessFault.parse("none")).isEmpty();
  }

  @Test
  void unknownNamesAreAnsweredWithThoseThereAre() {
    for (String text : List.of("", "kill,", "KILL", "all,kill", "lost_answers", "\u001b[31m")) {
      assertThatThrownBy(() -> ProcessFault.parse(text))
          .as(text)
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("delay, cut, silent, lost-answers, kill, stop, all and none")
          .hasMessageNotContaining("\u001b");
    }
  }
}
