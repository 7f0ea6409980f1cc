package dev.semel.nats;

import dev.semel.StoreException;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Pulls from all partitions into one inbox. Each partition has at most one open pull, which bounds
 * the messages that wait here. A new connection gets a new inbox and new pulls.
 */
final class PartitionReader implements Subscription {
  /** How long the broker keeps a pull open. */
  private static final Duration PULL_EXPIRES = Duration.ofSeconds(5);

  /** After this long without an answer the broker has lost a pull. */
  private static final Duration PULL_LOST = PULL_EXPIRES.plusSeconds(2);

  /** How long to collect messages after the first one. */
  private static final Duration GATHER = Duration.ofMillis(1);

  /** The pause between checks of the link while there is no connection. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  private static final Duration AFTER_REFUSAL = Duration.ofMillis(200);

  /** The limit for each step of closing. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

  private final NatsLink link;
  private final PartitionConsumers partitions;
  private final Duration ackTimeout;
  private final Map<String, Pull> pulls = new HashMap<>();
  private @Nullable Inbox inbox;
  private boolean ensured = true;
  private boolean closed;

  PartitionReader(NatsLink link, PartitionConsumers partitions, Duration ackTimeout) {
    this.link = link;
    this.partitions = partitions;
    this.ackTimeout = ackTimeout;
  }

  /** The state of one partition's pull. */
  private static final class Pull {
    private int open;
    private long number;
    private long deadline;
  }

  private record Arrived(Message message, long nanos) {}

  /** The queue for one connection's messages. */
  private record Inbox(
      Connection connection, Dispatcher dispatcher, String subject, BlockingQueue<Arrived> queue) {
    static Inbox on(Connection connection) {
      BlockingQueue<Arrived> queue = new LinkedBlockingQueue<>();
      String subject = connection.createInbox();
      Dispatcher dispatcher =
          connection.createDispatcher(
              message -> queue.add(new Arrived(message, System.nanoTime())));
      dispatcher.subscribe(subject + ".>");
      return new Inbox(connection, dispatcher, subject, queue);
    }
  }

  @Override
  public List<Delivery> receive(int limit, Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    List<Delivery> got = new ArrayList<>();
    while (got.isEmpty()) {
      if (closed) {
        throw new StoreException("the subscription is closed: subscribe again");
      }
      Inbox from = current(deadline);
      pull(from, partitions.names(), limit);
      long left = Math.max(0, deadline - System.nanoTime());
      Arrived next = from.queue().poll(Math.min(left, LOOK_EVERY.toNanos()), TimeUnit.NANOSECONDS);
      while (next != null) {
        accept(from, next, got);
        next =
            got.size() >= limit
                ? null
                : from.queue().poll(got.isEmpty() ? 0 : GATHER.toNanos(), TimeUnit.NANOSECONDS);
      }
      if (System.nanoTime() - deadline >= 0) {
        break;
      }
    }
    return got;
  }

  /** Waits for a connection until the deadline, which may have passed. */
  private Inbox current(long deadline) throws InterruptedException {
    while (link.connection().isEmpty()) {
      if (System.nanoTime() - deadline >= 0 || link.closed()) {
        throw new StoreException(link.why());
      }
      TimeUnit.NANOSECONDS.sleep(LOOK_EVERY.toNanos());
    }
    Connection connection = link.require();
    Inbox now = inbox;
    if (now == null || !now.connection().equals(connection)) {
      pulls.clear();
      now = Inbox.on(connection);
      inbox = now;
    }
    if (!ensured) {
      partitions.ensure(connection);
      ensured = true;
    }
    return now;
  }

  private void pull(Inbox to, List<String> from, int limit) {
    long now = System.nanoTime();
    for (String partition : from) {
      Pull pull = pulls.computeIfAbsent(partition, name -> new Pull());
      if (pull.open > 0 && pull.deadline - now > 0) {
        continue;
      }
      if (pull.open == 0 && pull.number > 0 && pull.deadline - now > 0) {
        continue; // it was refused a moment ago
      }
      int batch =
          partition.equals(MessageSubjects.ANY)
              ? Math.min(limit, partitions.settings().maxUnacknowledged())
              : 1;
      pull.open = batch;
      pull.number++;
      pull.deadline = now + PULL_LOST.toNanos();
      String request = "{\"batch\":" + batch + ",\"expires\":" + PULL_EXPIRES.toNanos() + "}";
      try {
        to.connection()
            .publish(
                "$JS.API.CONSUMER.MSG.NEXT."
                    + partitions.stream().name()
                    + "."
                    + partitions.consumerOf(partition),
                to.subject() + "." + partition + "." + pull.number,
                request.getBytes(StandardCharsets.US_ASCII));
      } catch (IllegalStateException e) {
        throw new StoreException(link.why(), e);
      }
    }
  }

  private void accept(Inbox from, Arrived arrived, List<Delivery> got) {
    Message message = arrived.message();
    if (message.isStatusMessage()) {
      status(from, message);
      return;
    }
    if (!message.isJetStream()) {
      return;
    }
    Pull pull = pulls.get(partitions.partitionOf(message.metaData().getConsumer()));
    if (pull != null && pull.open > 0) {
      pull.open--;
      pull.deadline = pull.open > 0 ? pull.deadline : System.nanoTime();
    }
    // Skips messages that lay here for long, because the broker may redeliver them any moment.
    if (System.nanoTime() - arrived.nanos() < partitions.settings().ackWithin().toNanos() / 2) {
      got.add(new JetStreamDelivery(link, message, partitions.destination(), ackTimeout));
    }
  }

  /** Handles the end of a pull that was not fully answered. */
  private void status(Inbox from, Message message) {
    String rest = message.getSubject().substring(from.subject().length() + 1);
    int dot = rest.indexOf('.');
    Pull pull = pulls.get(rest.substring(0, dot));
    int code = message.getStatus().getCode();
    if (pull == null || pull.number != Long.parseLong(rest.substring(dot + 1)) || code < 200) {
      return;
    }
    boolean usual = code == 404 || code == 408;
    pull.open = 0;
    pull.deadline = System.nanoTime() + (usual ? 0 : AFTER_REFUSAL.toNanos());
    if (!usual) {
      ensured = false; // the consumer may be gone
    }
  }

  /**
   * Pulls the next message of each numbered partition before the last one is acknowledged: the
   * broker then sends it with the confirmation, so a partition's turn takes one round trip instead
   * of two.
   */
  private void pullAhead() {
    Inbox now = inbox;
    if (now != null && now.connection().getStatus() == Connection.Status.CONNECTED) {
      try {
        pull(now, partitions.numbered(), 1);
      } catch (StoreException e) {
        return; // the next receive will report it
      }
    }
  }

  @Override
  public void acknowledge(List<Delivery> deliveries) {
    pullAhead();
    List<JetStreamDelivery> sent = new ArrayList<>(deliveries.size());
    for (Delivery delivery : deliveries) {
      JetStreamDelivery ours = (JetStreamDelivery) delivery;
      ours.startAcknowledging();
      sent.add(ours);
    }
    @Nullable StoreException first = null;
    for (JetStreamDelivery delivery : sent) {
      try {
        delivery.awaitAcknowledged();
      } catch (StoreException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  @Override
  public long lag() {
    return partitions.lag(link.require());
  }

  @Override
  public void close() {
    closed = true;
    Inbox last = inbox;
    inbox = null;
    if (last == null || last.connection().getStatus() != Connection.Status.CONNECTED) {
      return;
    }
    try {
      giveBack(last);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException | ExecutionException | TimeoutException e) {
      return; // the connection broke: the broker redelivers messages in flight later
    }
  }

  /**
   * Returns messages that the broker sent for open pulls but nobody took: otherwise their partition
   * would stand still until the time to acknowledge is over. Waits until the broker has ended the
   * pulls, so that none arrives later.
   */
  private static void giveBack(Inbox last)
      throws InterruptedException, ExecutionException, TimeoutException {
    last.dispatcher().drain(CLOSE_LIMIT).get(CLOSE_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
    List<Arrived> unseen = new ArrayList<>();
    while (last.queue().drainTo(unseen) > 0) {
      unseen.stream().map(Arrived::message).filter(Message::isJetStream).forEach(Message::nak);
      unseen.clear();
      // Flushes first, because closing a connection drops unsent data.
      last.connection().flush(CLOSE_LIMIT);
    }
  }
}
