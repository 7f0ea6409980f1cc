package dev.semel.rabbitmq;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.transport.Message;
import dev.semel.transport.NoSuchDestination;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A transport over RabbitMQ's streams, for consumers that keep their positions in a database. A
 * destination has one stream per partition, which all consumers read. A consumer's database stores
 * its positions and the leases of its members. When this process repeats a message that is in
 * doubt, the broker drops it if the first one arrived; the inbox drops other duplicates.
 */
public final class RabbitStreamTransport implements Transport {
  private final RabbitStreamSettings settings;
  private final StreamTopology topology;
  private final StreamLink link;
  private final StreamPublisher publisher;
  private final @Nullable ConsumerPositions own;

  private RabbitStreamTransport(
      StreamTopology topology, StreamLink link, @Nullable ConsumerPositions own) {
    this.settings = topology.settings();
    this.topology = topology;
    this.link = link;
    this.publisher = new StreamPublisher(settings, link, topology.partitions());
    this.own = own;
  }

  /**
   * Connects, and creates or verifies the destinations in the settings.
   *
   * @throws StoreException the broker is unreachable, or existing streams have other settings
   */
  public static RabbitStreamTransport connect(RabbitStreamSettings settings) {
    return open(settings, null);
  }

  /**
   * Connects, for consumers that subscribe without passing positions.
   *
   * @param positions where to store their positions; each acknowledgement moves them
   */
  public static RabbitStreamTransport connect(
      RabbitStreamSettings settings, ConsumerPositions positions) {
    return open(settings, positions);
  }

  private static RabbitStreamTransport open(
      RabbitStreamSettings settings, @Nullable ConsumerPositions positions) {
    StreamTopology topology = new StreamTopology(settings, new RabbitNames(settings.partitions()));
    StreamLink link = StreamLink.open(settings.server(), settings.publishTimeout());
    try {
      settings.destinations().forEach(destination -> topology.ensure(link.require(), destination));
      return new RabbitStreamTransport(topology, link, positions);
    } catch (RuntimeException e) {
      link.close();
      throw e;
    }
  }

  /**
   * Connects to an existing destination with its number of partitions, for example to inspect it.
   * Creates nothing.
   *
   * @param settings the number of partitions and the destinations are ignored
   * @throws NoSuchDestination there are no such streams
   * @throws StoreException the broker is unreachable
   */
  public static RabbitStreamTransport existing(RabbitStreamSettings settings, String destination) {
    RabbitNames.requireDestination(destination);
    StreamLink link = StreamLink.open(settings.server(), settings.publishTimeout());
    try {
      int partitions = StreamTopology.partitionsThere(link.require(), destination);
      RabbitStreamSettings there = settings.withPartitions(partitions).verifyOnly();
      return new RabbitStreamTransport(
          new StreamTopology(there, new RabbitNames(partitions)), link, null);
    } catch (RuntimeException e) {
      link.close();
      throw e;
    }
  }

  @Override
  public String system() {
    return "rabbitmq";
  }

  @Override
  public String describe() {
    return "RabbitMQ streams at " + settings.server().describe();
  }

  @Override
  public CompletionStage<PublishResult> publish(Message message) {
    return publisher.publish(message);
  }

  /** False: a message that failed gets a new number, after messages that were sent later. */
  @Override
  public boolean keepsOrder() {
    return false;
  }

  @Override
  public Subscription subscribe(String destination, String consumer, SubscribeSettings how) {
    ConsumerPositions positions = own;
    if (positions == null) {
      throw new InvalidInput(
          "a stream remembers no acknowledgements: subscribe with positions, such as"
              + " JdbcInbox.positions(), or connect with them");
    }
    return subscribe(destination, consumer, how, positions, false);
  }

  @Override
  public Subscription subscribe(
      String destination, String consumer, SubscribeSettings how, ConsumerPositions positions) {
    return subscribe(destination, consumer, how, positions, true);
  }

  private Subscription subscribe(
      String destination,
      String consumer,
      SubscribeSettings how,
      ConsumerPositions positions,
      boolean placed) {
    RabbitNames.requireDestination(destination);
    Transport.requireConsumer(consumer);
    topology.ensure(link.require(), destination);
    return new StreamReader(
        link,
        new StreamReader.Address(destination, consumer, topology.partitions()),
        how,
        positions,
        placed);
  }

  @Override
  public List<String> hazards(Duration retrySpan) {
    return RabbitHazards.ofStreams(settings, retrySpan);
  }

  /**
   * Deletes a temporary destination with all its messages; nothing may use it any more. A missing
   * destination is no error.
   *
   * @throws StoreException it may still exist
   */
  public void remove(String destination) {
    topology.remove(link.require(), destination);
  }

  @Override
  public void close() {
    link.close();
    publisher.close();
  }
}
