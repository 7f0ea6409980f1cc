package dev.semel.rabbitmq;

import dev.semel.StoreException;
import dev.semel.transport.Message;
import dev.semel.transport.NoSuchDestination;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A transport over RabbitMQ's exchanges and quorum queues, for relays and consumers with RabbitMQ
 * as their broker. Each consumer name has one queue per partition, with one active reader at a
 * time. RabbitMQ drops no duplicates here; the inbox does. A crash leaves only exchanges and
 * queues, which are meant to stay.
 */
public final class RabbitTransport implements Transport {
  private final RabbitSettings settings;
  private final QueueTopology topology;
  private final RabbitLink sending;
  private final RabbitPublisher publisher;
  private @Nullable RabbitLink receiving;
  private boolean closed;

  private RabbitTransport(RabbitSettings settings, QueueTopology topology, RabbitLink sending) {
    this.settings = settings;
    this.topology = topology;
    this.sending = sending;
    this.publisher = new RabbitPublisher(settings, sending, topology.partitions());
  }

  /**
   * Connects, and creates or verifies the destinations in the settings.
   *
   * @throws StoreException the broker is unreachable or too old, or existing exchanges or queues
   *     have other settings
   */
  public static RabbitTransport connect(RabbitSettings settings) {
    QueueTopology topology = new QueueTopology(settings, new RabbitNames(settings.partitions()));
    RabbitLink link = RabbitLink.open(settings.server(), "semel sends", settings.publishTimeout());
    try {
      RabbitHazards.requireNewEnough(link.require());
      topology.ensure(link.require());
      return new RabbitTransport(settings, topology, link);
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
   * @throws NoSuchDestination there is no such exchange, or another program created it
   * @throws StoreException the broker is unreachable or too old
   */
  public static RabbitTransport existing(RabbitSettings settings, String destination) {
    RabbitNames.requireDestination(destination);
    RabbitLink link = RabbitLink.open(settings.server(), "semel looks", settings.publishTimeout());
    try {
      RabbitHazards.requireNewEnough(link.require());
      int partitions = QueueTopology.partitionsThere(link.require(), destination);
      RabbitSettings there = settings.withPartitions(partitions).verifyOnly();
      return new RabbitTransport(
          there, new QueueTopology(there, new RabbitNames(partitions)), link);
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
    return "RabbitMQ queues at " + settings.server().describe();
  }

  @Override
  public CompletionStage<PublishResult> publish(Message message) {
    return publisher.publish(message);
  }

  /** False: a message that was refused or lost may be overtaken by the next one of its key. */
  @Override
  public boolean keepsOrder() {
    return false;
  }

  @Override
  public Subscription subscribe(String destination, String consumer, SubscribeSettings how) {
    RabbitNames.requireDestination(destination);
    Transport.requireConsumer(consumer);
    RabbitLink link = receiving();
    topology.ensure(link.require(), destination, consumer);
    return new QueueReader(link, topology, destination, consumer, how);
  }

  /**
   * A second connection for receiving: a broker that is short of memory reads nothing from
   * connections that publish, acknowledgements included.
   */
  private synchronized RabbitLink receiving() {
    if (closed) {
      throw new StoreException("the transport is closed");
    }
    RabbitLink now = receiving;
    if (now == null) {
      now = RabbitLink.open(settings.server(), "semel receives", settings.publishTimeout());
      receiving = now;
    }
    return now;
  }

  @Override
  public List<String> hazards(Duration retrySpan) {
    return RabbitHazards.ofQueues(sending.require(), settings);
  }

  /**
   * Deletes a temporary destination with these consumers' queues and all their messages; nothing
   * may use it any more. A missing destination is no error.
   *
   * @throws StoreException it may still exist
   */
  public void remove(String destination, String... consumers) {
    topology.remove(sending.require(), destination, List.of(consumers));
  }

  @Override
  public synchronized void close() {
    closed = true;
    publisher.close();
    sending.close();
    if (receiving != null) {
      receiving.close();
    }
  }
}
