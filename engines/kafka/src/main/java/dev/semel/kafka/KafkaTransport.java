package dev.semel.kafka;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.internal.PrintableText;
import dev.semel.kafka.TopicSender.Sending;
import dev.semel.loop.internal.Loop;
import dev.semel.transport.Message;
import dev.semel.transport.NoSuchDestination;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/**
 * A transport over Kafka topics, for relays and consumers with Kafka as their broker. A destination
 * is a topic, and an ordering key chooses the partition. Kafka does not know message ids: a message
 * that was repeated after a lost answer is there twice, and the inbox drops the copy.
 *
 * <p>A crash leaves only the topics, and a transaction that the broker ends.
 */
public final class KafkaTransport implements Transport {
  /** How many messages may wait for their confirmation. */
  static final int MAX_IN_FLIGHT = 4096;

  private final KafkaSettings settings;
  private final KafkaClients clients;
  private final Admin admin;
  private final KafkaTopics topics;
  private final TopicSender sender;
  private final AtomicInteger inFlight = new AtomicInteger();

  private KafkaTransport(KafkaSettings settings, KafkaClients clients, Admin admin) {
    this.settings = settings;
    this.clients = clients;
    this.admin = admin;
    this.topics = new KafkaTopics(admin, settings);
    this.sender =
        settings.transactional()
            ? new TransactionSender(clients, topics, settings)
            : new SingleSender(clients, topics, settings);
  }

  /**
   * Connects. Topics are checked, and created if the settings say so, on first use.
   *
   * @throws StoreException the broker is unreachable or refuses our credentials
   */
  public static KafkaTransport connect(KafkaSettings settings) {
    KafkaClients clients = new KafkaClients(settings);
    Admin admin = clients.admin();
    try {
      admin.describeCluster().nodes().get();
      return new KafkaTransport(settings, clients, admin);
    } catch (ExecutionException e) {
      admin.close(Duration.ZERO);
      throw KafkaErrors.store("connecting failed", e, settings);
    } catch (InterruptedException e) {
      admin.close(Duration.ZERO);
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while connecting to Kafka", e);
    } catch (RuntimeException e) {
      admin.close(Duration.ZERO);
      throw e;
    }
  }

  /**
   * Connects to an existing topic, for example to inspect it. Creates nothing.
   *
   * @throws NoSuchDestination there is no such topic
   * @throws StoreException the broker is unreachable or refuses our credentials
   */
  public static KafkaTransport existing(KafkaSettings settings, String destination) {
    KafkaTopics.require(destination);
    KafkaTransport transport = connect(settings.withoutTopics());
    try {
      transport.topics.ensure(destination, KafkaClients.ADMIN_LIMIT);
      return transport;
    } catch (PublishFailed e) {
      transport.close();
      throw new NoSuchDestination(
          "there is no topic %s: create it, or name another"
              .formatted(PrintableText.quoted(destination)));
    } catch (RuntimeException e) {
      transport.close();
      throw e;
    }
  }

  @Override
  public String system() {
    return "kafka";
  }

  @Override
  public String describe() {
    return "Kafka at " + String.join(", ", settings.servers());
  }

  @Override
  public CompletionStage<PublishResult> publish(Message message) {
    return publishAll(List.of(message)).getFirst();
  }

  @Override
  public List<CompletionStage<PublishResult>> publishAll(List<Message> messages) {
    List<Sending> batch = new ArrayList<>();
    List<CompletionStage<PublishResult>> answers = new ArrayList<>();
    for (Message message : messages) {
      CompletableFuture<PublishResult> answer = new CompletableFuture<>();
      answers.add(answer);
      PublishFailed refused = refusal(message);
      if (refused != null) {
        answer.completeExceptionally(refused);
      } else {
        var unused = answer.whenComplete((published, failure) -> inFlight.decrementAndGet());
        batch.add(new Sending(message, answer));
      }
    }
    if (batch.stream().allMatch(each -> topics.knows(each.message().destination()))) {
      sender.send(batch);
    } else {
      Loop.beside("semel-kafka-topics", () -> sendWhereKnown(batch));
    }
    return answers;
  }

  /** Why the message is refused; null: it is accepted, and in flight from now on. */
  private @Nullable PublishFailed refusal(Message message) {
    try {
      KafkaTopics.require(message.destination());
    } catch (InvalidInput e) {
      return new PublishFailed(Kind.REFUSED, String.valueOf(e.getMessage()), e);
    }
    if (inFlight.incrementAndGet() > MAX_IN_FLIGHT) {
      inFlight.decrementAndGet();
      return new PublishFailed(
          Kind.BUSY,
          "%d messages are on their way, which is the limit: wait for their confirmation"
              .formatted(MAX_IN_FLIGHT));
    }
    return null;
  }

  /** Checks topics on another thread, because that takes time, and once for each topic. */
  private void sendWhereKnown(List<Sending> batch) {
    List<Sending> known = new ArrayList<>();
    Map<String, Optional<PublishFailed>> asked = new HashMap<>();
    for (Sending each : batch) {
      asked
          .computeIfAbsent(each.message().destination(), this::failureOf)
          .ifPresentOrElse(each.answer()::completeExceptionally, () -> known.add(each));
    }
    sender.send(known);
  }

  /** Checks a topic; empty: it exists with the right settings. */
  private Optional<PublishFailed> failureOf(String topic) {
    try {
      if (!topics.knows(topic)) {
        topics.ensure(topic, settings.publishTimeout());
      }
      return Optional.empty();
    } catch (PublishFailed e) {
      return Optional.of(e);
    } catch (RuntimeException e) {
      return Optional.of(new PublishFailed(Kind.UNREACHABLE, String.valueOf(e.getMessage()), e));
    }
  }

  /**
   * False: an expired batch of the producer is overtaken by the next one. Transactions keep a whole
   * batch together instead.
   */
  @Override
  public boolean keepsOrder() {
    return false;
  }

  @Override
  public boolean allOrNone() {
    return settings.transactional();
  }

  /** Subscribes with offsets in Kafka, up to the first message that is not acknowledged. */
  @Override
  public Subscription subscribe(String destination, String consumer, SubscribeSettings how) {
    return open(destination, consumer, how, null);
  }

  @Override
  public Subscription subscribe(
      String destination, String consumer, SubscribeSettings how, ConsumerPositions positions) {
    return open(destination, consumer, how, positions);
  }

  private Subscription open(
      String destination,
      String consumer,
      SubscribeSettings how,
      @Nullable ConsumerPositions positions) {
    KafkaTopics.require(destination);
    Transport.requireConsumer(consumer);
    int partitions = topics.ensure(destination, KafkaClients.ADMIN_LIMIT);
    ReadOrigin origin = new ReadOrigin(destination, consumer, settings, positions);
    ConsumerLag lag = new ConsumerLag(admin, origin, partitions);
    GroupReader reader = new GroupReader(clients.consumer(origin.group(), how), origin, how);
    return new KafkaSubscription(reader, lag);
  }

  @Override
  public List<String> hazards(Duration retrySpan) {
    return new TopicHazards(topics).of(retrySpan);
  }

  /** The current number of brokers. */
  public int brokers() {
    return topics.brokers();
  }

  /**
   * Deletes a temporary topic with all its messages; nothing may use it any more. A missing topic
   * is no error.
   *
   * @param consumers the consumers whose offsets are deleted too
   * @throws StoreException it may still exist
   */
  public void remove(String topic, String... consumers) {
    topics.remove(topic);
    for (String consumer : consumers) {
      topics.removeGroup(new ReadOrigin(topic, consumer, settings, null).group());
    }
  }

  @Override
  public void close() {
    sender.close();
    admin.close(Duration.ZERO);
  }
}
