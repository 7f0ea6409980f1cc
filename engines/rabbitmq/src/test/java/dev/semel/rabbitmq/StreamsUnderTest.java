package dev.semel.rabbitmq;

import dev.semel.internal.Ids;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.SqliteStore;
import dev.semel.tck.messages.TransportUnderTest;
import dev.semel.testservices.RabbitService;
import dev.semel.transport.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** A transport over streams, with positions in a separate database. */
final class StreamsUnderTest implements TransportUnderTest, AutoCloseable {
  private final Path folder;
  private final SqliteStore store;
  private final JdbcInbox inbox;
  private final RabbitStreamTransport transport;

  StreamsUnderTest(RabbitService rabbit, Path folder) {
    this.folder = folder;
    this.store = SqliteStore.open(folder.resolve(Ids.uuid7() + ".db"), InstantSource.system());
    this.inbox = JdbcInbox.on(store);
    this.transport = RabbitStreamTransport.connect(settings(rabbit), inbox.positions());
  }

  static RabbitStreamSettings settings(RabbitService rabbit) {
    return RabbitStreamSettings.of("rabbitmq-stream://guest:guest@127.0.0.1:" + rabbit.streamPort())
        .withPartitions(2)
        .withMaxBytes(QueuesUnderTest.MAX_BYTES)
        .withPublishTimeout(QueuesUnderTest.PUBLISH_TIMEOUT);
  }

  /** Subscribes first, because a stream must exist before a send, and a reader creates it. */
  @Override
  public Transport transport() {
    return transport;
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
    return QueuesUnderTest.MAX_BYTES + 1;
  }

  @Override
  public Duration ackWithin() {
    return Duration.ofMillis(700);
  }

  @Override
  public Optional<Stoppable> stoppable() {
    RabbitService own = RabbitService.start();
    StreamsUnderTest on = new StreamsUnderTest(own, folder);
    return Optional.of(new StoppableRabbit(own, on, on::close));
  }

  @Override
  public void close() {
    transport.close();
    inbox.close();
    store.close();
  }
}
