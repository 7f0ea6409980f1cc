package dev.semel.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotSetTest {
  @Test
  void textIsReadBack() {
    for (String text : List.of("", "0", "0-5460", "0-5460,5462,16383", "0-16383")) {
      assertThat(SlotSet.parse(text).text()).isEqualTo(text);
    }
    assertThat(SlotSet.parse("0-16383").isAll()).isTrue();
    assertThat(SlotSet.parse("0-16382").isAll()).isFalse();
  }

  @Test
  void whatIsNoSetOfSlotsIsRefused() {
    for (String text : List.of("x", "-1", "5-3", "16384", "0-16384", "1,,2", "1-", " 1")) {
      assertThatThrownBy(() -> SlotSet.parse(text)).as(text).isInstanceOf(InvalidInput.class);
    }
  }

  @Test
  void cursorIsReadBackAndNeverLooksLikeTheEnd() {
    for (String text :
        List.of("s", "s0-5460", "s0-5460;0a1b;5461-9000;17", "s;0a1b;1;17,9,default/a:b;c,d")) {
      assertThat(ClusterCursor.parse(text).text()).isEqualTo(text);
    }
    assertThat(ClusterCursor.between(SlotSet.NONE).text()).isNotEmpty();
    for (String text : List.of("17", "s1;x;1;17", "s1;0a;1", "s1;0a;1;x", "sx", "s99999")) {
      assertThatThrownBy(() -> ClusterCursor.parse(text)).as(text).isInstanceOf(InvalidInput.class);
    }
  }

  @Test
  void nodeKnowsWhichOfItsSlotsAreOnTheirWay() {
    String nodes =
        """
        0b 127.0.0.1:2@3 master - 0 1 2 connected 100-200
        0a 127.0.0.1:1@2 myself,master - 0 0 1 connected 0-50 60 [7->-0b] [150-<-0b]
        """;
    assertThat(NodeView.parse(nodes).settled().text()).isEqualTo("0-6,8-50,60");
    String replica = "0a 127.0.0.1:1@2 myself,slave 0b 0 0 1 connected\n";
    assertThat(NodeView.parse(replica).settled().isEmpty()).isTrue();
  }
}
