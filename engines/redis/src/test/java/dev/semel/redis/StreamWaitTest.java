package dev.semel.redis;

import static dev.semel.tck.messages.TransportCalls.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.internal.Ids;
import dev.semel.tck.messages.TransportCalls;
import dev.semel.testservices.RedisClusterService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Messages that are confirmed only once replicas have them. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class StreamWaitTest {
  private final String destination = "orders." + Ids.uuid7();

  @Test
  void withoutEnoughReplicasNothingIsConfirmed(RedisService alone) {
    try (RedisStreamsTransport transport =
        RedisStreamsTransport.connect(
            RedisStreamsSettings.of(alone.url() + "?wait=1&wait-timeout=50ms"))) {
      Message message = Message.of(destination, "m");
      for (int i = 0; i < 2; i++) { // the second time it is a duplicate, and no safer
        PublishFailed failed =
            catchThrowableOfType(PublishFailed.class, () -> get(transport.publish(message)));
        assertThat(failed.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(failed).hasMessageContaining("0 of 1 replicas");
      }
    }
  }

  @Test
  void withReplicasEverythingIsConfirmedOnce(RedisClusterService cluster) {
    try (RedisStreamsTransport transport =
        RedisStreamsTransport.connect(
            RedisStreamsSettings.of(cluster.url() + "?wait=1&wait-timeout=4s"))) {
      List<Message> messages =
          IntStream.range(0, 500).mapToObj(i -> Message.of(destination, "m" + i)).toList();
      assertThat(publish(transport, messages)).noneMatch(PublishResult::duplicate);
      assertThat(publish(transport, messages)).allMatch(PublishResult::duplicate);
    }
  }

  private static List<PublishResult> publish(
      RedisStreamsTransport transport, List<Message> messages) {
    List<CompletionStage<PublishResult>> sent = messages.stream().map(transport::publish).toList();
    return sent.stream().map(TransportCalls::get).toList();
  }
}
