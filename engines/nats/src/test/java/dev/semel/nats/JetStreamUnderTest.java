package dev.semel.nats;

import dev.semel.internal.Ids;
import dev.semel.tck.messages.TransportUnderTest;
import dev.semel.testservices.NatsService;
import dev.semel.transport.Transport;
import java.time.Duration;
import java.util.Optional;

/** A transport on a separate stream. */
final class JetStreamUnderTest implements TransportUnderTest, AutoCloseable {
  static final int MAX_PAYLOAD = 256 << 10;
  static final Duration PUBLISH_TIMEOUT = Duration.ofSeconds(2);

  private final JetStreamTransport transport;

  JetStreamUnderTest(NatsService nats) {
    this(settings(nats, stream()));
  }

  JetStreamUnderTest(JetStreamSettings settings) {
    this.transport = JetStreamTransport.connect(settings);
  }

  static StreamSettings stream() {
    return StreamSettings.of("s" + Ids.uuid7(), "contract.>");
  }

  static JetStreamSettings settings(NatsService nats, StreamSettings stream) {
    return JetStreamSettings.of(nats.url(), stream).withPublishTimeout(PUBLISH_TIMEOUT);
  }

  static NatsService start() {
    return NatsService.start("max_payload: " + MAX_PAYLOAD);
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public Optional<String> unknownDestination() {
    return Optional.of("nobody.listens");
  }

  @Override
  public int tooManyBytes() {
    return MAX_PAYLOAD;
  }

  @Override
  public Optional<Stoppable> stoppable() {
    NatsService own = start();
    JetStreamUnderTest on = new JetStreamUnderTest(own);
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
  }
}
