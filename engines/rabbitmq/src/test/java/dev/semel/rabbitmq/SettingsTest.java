package dev.semel.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SettingsTest {
  @Test
  void aUrlHasUserPasswordNodesAndVirtualHost() {
    RabbitServer server = RabbitServer.of("amqp://me:p%40ss%2F+@one:5673,two/orders%2feu");
    assertThat(server.access()).isEqualTo(new RabbitAccess("me", "p@ss/+"));
    assertThat(server.nodes())
        .containsExactly(new RabbitServer.Node("one", 5673), new RabbitServer.Node("two", 5672));
    assertThat(server.virtualHost()).isEqualTo("orders/eu");
    assertThat(server.tls()).isEmpty();
  }

  @Test
  void aUrlNeedsOnlyAHost() {
    RabbitServer server = RabbitServer.of("amqps://broker");
    assertThat(server.nodes()).isEqualTo(List.of(new RabbitServer.Node("broker", 5671)));
    assertThat(server.virtualHost()).isEqualTo("/");
    assertThat(server.access()).isEqualTo(RabbitAccess.guest());
    assertThat(server.tls()).isPresent();
    assertThat(RabbitServer.ofStreams("rabbitmq-stream+tls://broker").tls()).isPresent();
  }

  @Test
  void thePasswordIsNeverShown() {
    RabbitSettings settings = RabbitSettings.of("amqp://me:secret@broker/");
    assertThat(settings.toString()).doesNotContain("secret").contains("me");
    assertThat(settings.server().describe()).doesNotContain("secret");
  }

  @Test
  void whatIsNoUrlIsRefusedWithAnExample() {
    for (String url :
        List.of(
            "",
            "broker",
            "http://broker",
            "amqp://",
            "amqp://b:0",
            "amqp://b:99999",
            "amqp://a b")) {
      assertThatThrownBy(() -> RabbitServer.of(url))
          .as(url)
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("amqp://");
    }
  }

  @Test
  void aBrokenPasswordIsNotRepeatedInItsError() {
    assertThatThrownBy(() -> RabbitServer.of("amqp://me:secret%zz@broker"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("%25")
        .hasMessageNotContaining("secret");
  }

  @Test
  void limitsAreNamed() {
    RabbitSettings settings = RabbitSettings.of("amqp://broker");
    assertThatThrownBy(() -> settings.withPartitions(65)).hasMessageContaining("64 partitions");
    assertThatThrownBy(() -> settings.withMaxBytes(0)).hasMessageContaining("limit");
    assertThatThrownBy(() -> settings.withMaxWaiting(-1)).hasMessageContaining("0 for no limit");
    assertThatThrownBy(() -> settings.withPrefetch(0)).hasMessageContaining("1000");
    assertThatThrownBy(() -> settings.withPublishTimeout(Duration.ofMillis(9)))
        .hasMessageContaining("100 ms");
    assertThatThrownBy(() -> settings.withDestination("amq.direct", "c"))
        .hasMessageContaining("amq.");
    assertThatThrownBy(() -> settings.withDestination("orders", "a b"))
        .hasMessageContaining("letters");
  }

  @Test
  void aKeyKeepsItsPartitionAndThoseWithoutOneTakeTurns() {
    RabbitNames partitions = new RabbitNames(4);
    Message keyed = Message.of("orders", "x").withOrderingKey("order-17");
    assertThat(partitions.of(keyed)).isEqualTo(partitions.of(keyed));
    // This must never change: another partition for the same key would break its order over an
    // upgrade.
    assertThat(partitions.of(keyed)).isEqualTo(3);
    Message free = Message.of("orders", "x");
    assertThat(
            List.of(
                partitions.of(free), partitions.of(free), partitions.of(free), partitions.of(free)))
        .containsExactlyInAnyOrder(0, 1, 2, 3);
  }
}
