package dev.semel.spring;

import dev.semel.InvalidInput;
import dev.semel.event.SemelListener;
import dev.semel.inbox.ConsumerCounts;
import dev.semel.inbox.ConsumerListener;
import dev.semel.inbox.ConsumerSettings;
import dev.semel.inbox.DeadLetters;
import dev.semel.inbox.MessageConsumer;
import dev.semel.internal.PrintableText;
import dev.semel.loop.Platform;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Subscription;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.context.SmartLifecycle;
import org.springframework.transaction.PlatformTransactionManager;

/** Runs a consumer for each {@link InboxConsumer}, for as long as the application runs. */
public final class ConsumersLifecycle implements SmartLifecycle {
  /** What all consumers share. */
  record Setup(
      Transport transport,
      TransactionalInbox inbox,
      PlatformTransactionManager manager,
      DeadLetters deadLetters,
      ConsumerSettings settings,
      SemelListener listener,
      HealthWatch watch,
      SpringConsumerInbox.Observing observing) {}

  private final Setup setup;
  private final List<InboxConsumer> consumers;
  private final Map<String, MessageConsumer> running = new LinkedHashMap<>();

  /**
   * Starts no consumer yet.
   *
   * @throws InvalidInput two consumers have the same name
   */
  ConsumersLifecycle(Setup setup, List<InboxConsumer> consumers) {
    this.setup = setup;
    this.consumers = List.copyOf(consumers);
    requireNames(this.consumers);
  }

  /**
   * Requires distinct names: the broker and the inbox identify a consumer by its name, so of two
   * with one name one would starve.
   */
  static void requireNames(List<InboxConsumer> consumers) {
    Set<String> names = new HashSet<>();
    for (InboxConsumer each : consumers) {
      if (!names.add(each.name())) {
        throw new InvalidInput(
            "two beans of the type InboxConsumer have the name %s: give each its own"
                .formatted(PrintableText.quoted(each.name())));
      }
    }
  }

  @Override
  public synchronized void start() {
    boolean started = false;
    try {
      consumers.forEach(each -> running.computeIfAbsent(each.name(), name -> started(each)));
      started = true;
    } finally {
      if (!started) {
        stop();
      }
    }
  }

  private MessageConsumer started(InboxConsumer consumer) {
    Subscription subscription =
        setup
            .transport()
            .subscribe(
                consumer.destination(),
                consumer.name(),
                SubscribeSettings.defaults(),
                setup.inbox().unbound().positions());
    return MessageConsumer.start(
        Platform.REAL,
        consumer.name(),
        subscription,
        new SpringConsumerInbox(setup.manager(), setup.inbox(), consumer, setup.observing()),
        setup.deadLetters(),
        setup.settings(),
        setup.watch().and(consumer.name(), ConsumerListener.to(consumer.name(), setup.listener())));
  }

  @Override
  public synchronized void stop() {
    running.values().forEach(MessageConsumer::close);
    running.clear();
  }

  @Override
  public synchronized boolean isRunning() {
    return !running.isEmpty();
  }

  /** What the running consumers did since they started. */
  public synchronized Map<String, ConsumerCounts> counts() {
    Map<String, ConsumerCounts> counts = new LinkedHashMap<>();
    running.forEach((name, consumer) -> counts.put(name, consumer.counts()));
    return counts;
  }
}
