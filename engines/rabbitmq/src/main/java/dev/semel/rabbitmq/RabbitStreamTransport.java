package dev.semel.rabbitmq;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.transport.Message;
import dev.semel.transport.NoSuchDestination;
import dev.semel.transport.PublishResult;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.SubscribeSettings;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Messages into RabbitMQ's streams: a destination has one per partition, which all consumers read.
 * Where a consumer stands, and which of its members reads which partition, is kept in its own
 * database. A message of which this process never learned whether it arrived is a duplicate when it
 * is sent again, if it did; what else is there twice is for the inbox.
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
   * Connects, and makes or verifies the destinations that the settings name.
   *
   * @throws StoreException the broker can't be reached, or what is there is another than asked for
   */
  public static RabbitStreamTransport connect(RabbitStreamSettings settings) {
    return open(settings, null);
  }

  /**
   * The same for those who subscribe without positions of their own.
   *
   * @param positions where these are kept instead, moved by each acknowledgement
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
   * Connects to a destination as it is, with as many partitions as it has: for whoever looks at
   * what others have set up. Nothing is created.
   *
   * @param settings of which the number of partitions and the destinations are not used
   * @throws NoSuchDestination there are no such streams
   * @throws StoreException the broker can't be reached
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

  /** One that failed gets a new number, behind those that were sent after it. */
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
   * Deletes a destination with all that is in it, for who made it for a while; others must not use
   * it any more. What is not there is no error.
   *
   * @throws StoreException it may be there still
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
