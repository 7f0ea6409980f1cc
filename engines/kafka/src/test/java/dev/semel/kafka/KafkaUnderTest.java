package dev.semel.kafka;

import dev.semel.internal.Ids;
import dev.semel.tck.messages.TransportUnderTest;
import dev.semel.testservices.KafkaService;
import dev.semel.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** A transport that creates no topics. */
final class KafkaUnderTest implements TransportUnderTest, AutoCloseable {
  static final int MAX_MESSAGE = 256 << 10;
  static final Duration PUBLISH_TIMEOUT = Duration.ofSeconds(3);

  private final Admin admin;
  private final UnaryOperator<Transport> around;
  private final KafkaTransport transport;

  KafkaUnderTest(KafkaService kafka) {
    this(kafka, UnaryOperator.identity(), settings(kafka));
  }

  KafkaUnderTest(KafkaService kafka, UnaryOperator<Transport> around, KafkaSettings settings) {
    this.admin = admin(kafka);
    this.around = around;
    this.transport = KafkaTransport.connect(settings);
  }

  static Admin admin(KafkaService kafka) {
    return Admin.create(Map.of("bootstrap.servers", kafka.internalBootstrap()));
  }

  static KafkaSettings settings(KafkaService kafka) {
    return KafkaSettings.of(kafka.url())
        .withPublishTimeout(PUBLISH_TIMEOUT)
        .withOption("session.timeout.ms", "6000")
        .withOption("heartbeat.interval.ms", "300");
  }

  static KafkaService start() {
    return KafkaService.start("message.max.bytes=" + MAX_MESSAGE);
  }

  static String topic(Admin admin, int partitions) {
    String topic = "contract." + Ids.uuid7();
    try {
      admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return topic;
  }

  @Override
  public Transport transport() {
    return around.apply(transport);
  }

  @Override
  public String freshDestination() {
    return topic(admin, 4);
  }

  @Override
  public Optional<String> unknownDestination() {
    return Optional.of("nobody.listens");
  }

  @Override
  public boolean dropsDuplicates() {
    return false;
  }

  @Override
  public int tooManyBytes() {
    return MAX_MESSAGE;
  }

  @Override
  public Optional<Stoppable> stoppable() {
    KafkaService own = start();
    KafkaUnderTest on = new KafkaUnderTest(own, around, settings(own));
    return Optional.of(
        Stoppable.of(
            on,
            PUBLISH_TIMEOUT,
            own::kill,
            own::restart,
            () -> {
              on.close();
              own.close();
            }));
  }

  @Override
  public void close() {
    transport.close();
    admin.close(Duration.ZERO);
  }
}
