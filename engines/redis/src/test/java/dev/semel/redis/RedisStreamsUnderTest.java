package dev.semel.redis;

import dev.semel.tck.messages.TransportUnderTest;
import dev.semel.testservices.RedisService;
import dev.semel.transport.Transport;
import java.time.Duration;
import java.util.Optional;

/** A transport on a real Redis or a real cluster. */
final class RedisStreamsUnderTest implements TransportUnderTest, AutoCloseable {
  static final int MAX_MESSAGE_BYTES = 256 << 10;
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final RedisStreamsTransport transport;

  RedisStreamsUnderTest(String url) {
    this.transport =
        RedisStreamsTransport.connect(
            RedisStreamsSettings.of(url + "?timeout=" + TIMEOUT.toSeconds() + "s")
                .withMaxMessageBytes(MAX_MESSAGE_BYTES));
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public Optional<String> unknownDestination() {
    return Optional.of("{braces}");
  }

  @Override
  public int tooManyBytes() {
    return MAX_MESSAGE_BYTES;
  }

  @Override
  public Optional<Stoppable> stoppable() {
    RedisService own = RedisService.start("--appendfsync", "always");
    RedisStreamsUnderTest on = new RedisStreamsUnderTest(own.url());
    return Optional.of(
        Stoppable.of(
            on,
            TIMEOUT,
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
