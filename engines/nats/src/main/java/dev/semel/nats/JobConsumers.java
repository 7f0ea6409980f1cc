package dev.semel.nats;

import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.internal.PrintableText;
import dev.semel.job.JobPriority;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import io.nats.client.Subscription;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.DeliverPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The broker's consumers of jobs: one per queue and priority, created when a queue gets a job. */
final class JobConsumers {
  /** The most jobs of a queue and priority that are handed out, or postponed until they are due. */
  static final int MAX_OUT = 65_536;

  private static final int CONSUMER_NOT_FOUND = 10014;
  private static final long UNLIMITED = -1;

  /** A pull without an answer by then is cancelled. */
  static final Duration PATIENCE = Duration.ofMillis(100);

  /**
   * How often to make the server search for a message. Otherwise it answers by its count of
   * messages, which may stay wrong: jobs would then wait until the next one arrives.
   */
  private static final Duration LOOKS_EVERY = Duration.ofSeconds(1);

  /** How long the server searches: it answers a request that may wait only after a search. */
  private static final Duration LOOK = Duration.ofMillis(20);

  private final JobStream stream;
  private final JobSubjects subjects;
  private final Duration ackWait;
  private final Duration patience;
  private final Set<Operation> ready = ConcurrentHashMap.newKeySet();

  /** When each consumer was last found empty, on the monotonic clock. */
  private final Map<String, Long> looked = new ConcurrentHashMap<>();

  JobConsumers(JobStream stream, JobSubjects subjects, Duration ackWait, Duration patience) {
    this.stream = stream;
    this.subjects = subjects;
    this.ackWait = ackWait;
    this.patience = patience;
  }

  /** Whether the queue has consumers to pull from; a queue without jobs gets none. */
  boolean ready(Operation queue) {
    if (ready.contains(queue)) {
      return true;
    }
    if (stream.next(subjects.everything(queue), 0).isEmpty()) {
      return false;
    }
    for (JobPriority priority : JobPriority.values()) {
      ensure(queue, priority);
    }
    ready.add(queue);
    return true;
  }

  private void ensure(Operation queue, JobPriority priority) {
    try {
      Optional<ConsumerInfo> found = info(queue, priority);
      ConsumerConfiguration there =
          found.isPresent()
              ? found.get().getConsumerConfiguration()
              : stream
                  .connection()
                  .jetStreamManagement()
                  .addOrUpdateConsumer(stream.name(), configuration(queue, priority))
                  .getConsumerConfiguration();
      if (there.getAckPolicy() != AckPolicy.Explicit
          || there.getMaxDeliver() > 0
          || there.getMaxAckPending() != MAX_OUT
          || !ackWait.equals(there.getAckWait())
          || !List.of(subjects.any(queue, JobSubjects.word(priority)))
              .equals(there.getFilterSubjects())) {
        throw new StoreException(
            "the consumer %s of the stream %s is not as asked for (its lease is %s): use the same lease, or delete it"
                .formatted(
                    PrintableText.quoted(JobSubjects.consumer(queue, priority)),
                    stream.name(),
                    there.getAckWait()));
      }
    } catch (IOException e) {
      throw new StoreException("NATS did not answer: try again", e);
    } catch (JetStreamApiException e) {
      throw new StoreException(
          "the queue %s can't be received. NATS said: %s"
              .formatted(PrintableText.quoted(queue.name()), e.getErrorDescription()),
          e);
    }
  }

  private ConsumerConfiguration configuration(Operation queue, JobPriority priority) {
    return ConsumerConfiguration.builder()
        .durable(JobSubjects.consumer(queue, priority))
        .filterSubject(subjects.any(queue, JobSubjects.word(priority)))
        .deliverPolicy(DeliverPolicy.All)
        .ackPolicy(AckPolicy.Explicit)
        .ackWait(ackWait)
        .maxAckPending(MAX_OUT)
        .maxDeliver(UNLIMITED)
        .build();
  }

  /** The consumer's state; empty: it does not exist. */
  Optional<ConsumerInfo> info(Operation queue, JobPriority priority) {
    try {
      JetStreamManagement management = stream.connection().jetStreamManagement();
      return Optional.of(
          management.getConsumerInfo(stream.name(), JobSubjects.consumer(queue, priority)));
    } catch (IOException e) {
      throw new StoreException("NATS did not answer: try again", e);
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == CONSUMER_NOT_FOUND) {
        return Optional.empty();
      }
      throw new StoreException(
          "the queue %s can't be looked at. NATS said: %s"
              .formatted(PrintableText.quoted(queue.name()), e.getErrorDescription()),
          e);
    }
  }

  /** Pulls the jobs that are available now, almost without waiting. */
  List<Message> pull(Operation queue, JobPriority priority, int batch) {
    String consumer = JobSubjects.consumer(queue, priority);
    Long last = looked.get(consumer);
    boolean looks = last == null || System.nanoTime() - last >= LOOKS_EVERY.toNanos();
    List<Message> got = pull(queue, consumer, batch, looks);
    if (looks && got.isEmpty()) { // otherwise it searches next time too, until all are found
      looked.put(consumer, System.nanoTime());
    }
    return got;
  }

  private List<Message> pull(Operation queue, String consumer, int batch, boolean looks) {
    Connection connection = stream.connection();
    String inbox = connection.createInbox();
    String expires = looks ? ",\"expires\":" + LOOK.toNanos() : "";
    List<Message> got = new ArrayList<>();
    try {
      Subscription subscription = connection.subscribe(inbox);
      connection.publish(
          "$JS.API.CONSUMER.MSG.NEXT." + stream.name() + "." + consumer,
          inbox,
          ("{\"batch\":" + batch + ",\"no_wait\":true" + expires + "}")
              .getBytes(StandardCharsets.US_ASCII));
      if (!gather(queue, subscription, batch, got)) {
        // Another worker took the jobs that this pull was answered for, so it would wait for the
        // next job. Jobs that arrive before the server has ended the pull are still ours.
        var unused = subscription.drain(stream.timeout());
        gatherRest(queue, subscription, batch, got);
      } else {
        subscription.unsubscribe();
      }
      return got;
    } catch (IllegalStateException e) {
      if (got.isEmpty()) {
        throw new StoreException("the connection to NATS broke: try again", e);
      }
      return got;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return got;
    }
  }

  /**
   * Collects late jobs. The subscription is inactive once nothing more can come, maybe before we
   * ask.
   */
  private void gatherRest(Operation queue, Subscription drained, int batch, List<Message> got)
      throws InterruptedException {
    try {
      gather(queue, drained, batch, got);
    } catch (IllegalStateException e) {
      if (stream.connection().getStatus() != Connection.Status.CONNECTED) {
        throw e;
      }
    }
  }

  /**
   * Collects jobs.
   *
   * @return whether the pull has ended
   */
  private boolean gather(Operation queue, Subscription from, int batch, List<Message> got)
      throws InterruptedException {
    while (got.size() < batch) {
      Message next = from.nextMessage(patience);
      if (next == null) {
        return false;
      }
      if (next.isJetStream()) {
        got.add(next);
      } else if (next.isStatusMessage()) {
        int code = next.getStatus().getCode();
        if (code != 404 && code != 408) {
          ready.remove(queue); // the consumer may be gone
        }
        if (code >= 400) {
          return true;
        }
      }
    }
    return true;
  }
}
