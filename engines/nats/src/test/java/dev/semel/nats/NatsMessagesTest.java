package dev.semel.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NatsMessagesTest {
  @Test
  void plainTextIsCarriedAsItIs() {
    assertThat(NatsMessages.encode("a b-c:d")).isEqualTo("a b-c:d");
    assertThat(NatsMessages.encode(" a%é ")).isEqualTo("%20a%25%C3%A9%20");
    assertThat(NatsMessages.encode("")).isEmpty();
  }

  @Test
  void headersThatMeanSomethingToTheBrokerAreKeptFromIt() {
    Message message =
        Message.of("d", "x")
            .withHeader("nats-msg-id", "a")
            .withHeader("Semel-Type", "b")
            .withHeader("Semel-Header-x", "c")
            .withType("t");
    var headers = NatsMessages.headers(message, "S");
    assertThat(headers.containsKey("nats-msg-id")).isFalse();
    Message back = NatsMessages.message("d", headers, message.payload(), "S:1");
    assertThat(back.headers()).isEqualTo(message.headers());
    assertThat(back.type()).isEqualTo("t");
    assertThat(back.id()).isEqualTo(message.id());
  }

  @Test
  void keysSpreadOverAllPartitionsAndStayThere() {
    assertThat(MessageSubjects.partition("", 8)).isEqualTo("any");
    assertThat(MessageSubjects.partition("customer-17", 8))
        .isEqualTo(MessageSubjects.partition("customer-17", 8));
    assertThat(
            IntStream.range(0, 1000)
                .mapToObj(i -> MessageSubjects.partition("key-" + i, 8))
                .collect(Collectors.toSet()))
        .containsExactlyInAnyOrder("0", "1", "2", "3", "4", "5", "6", "7");
    // This must never change: otherwise a key's messages would be in two partitions at once.
    assertThat(
            List.of(MessageSubjects.partition("a", 8), MessageSubjects.partition("customer-17", 8)))
        .isEqualTo(List.of("5", "2"));
  }

  @Test
  void differentDestinationsHaveDifferentConsumers() {
    assertThat(MessageSubjects.consumer("c", "a.b", "0")).isEqualTo("c_a-b_0");
    assertThat(MessageSubjects.consumer("c", "a-b", "0"))
        .isNotEqualTo("c_a-b_0")
        .startsWith("c_a-b-");
  }

  @Test
  void subjectsMatchPatterns() {
    assertThat(MessageSubjects.covered("a.b.any", List.of("a.>"))).isTrue();
    assertThat(MessageSubjects.covered("a.b.any", List.of("a.b.*"))).isTrue();
    assertThat(MessageSubjects.covered("a.b.any", List.of("a.b", "a.*", "b.>"))).isFalse();
    assertThat(MessageSubjects.covered("a", List.of("a.>"))).isFalse();
  }

  @Test
  void settingsThatCannotWorkAreRefused() {
    StreamSettings fine = StreamSettings.of("S", "a");
    assertThatThrownBy(() -> StreamSettings.of("a.b", "a")).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> StreamSettings.of("S")).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> StreamSettings.of("S", "a.*")).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> fine.withPartitions(0)).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> fine.withMaxAge(Duration.ofMinutes(1)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("maxAge");
    assertThatThrownBy(() -> JetStreamSettings.of("redis://x", fine))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("nats://");
    assertThat(JetStreamSettings.of("nats://u:p@h:1, nats://i:2", fine).servers())
        .containsExactly("nats://h:1", "nats://i:2");
  }
}
