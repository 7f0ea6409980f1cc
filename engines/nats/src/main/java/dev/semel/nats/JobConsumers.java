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

/** The broker's consumers of jobs: one per queue and priority, made when a queue has a job. */
final class JobConsumers {
  /** How many jobs of a queue and priority may be out, or wait for their time after a look. */
  static final int MAX_OUT = 65_536;

  private static final int CONSUMER_NOT_FOUND = 10014;
  private static final long UNLIMITED = -1;

  /** An answer to a pull that was not there by then is called off. */
  static final Duration PATIENCE = Duration.ofMillis(100);

  /**
   * How often the server is made to look for a message. Otherwise it answers by how many it thinks
   * there are, and that it may have got wrong for good: jobs would wait until the next one comes.
   */
  private static final Duration LOOKS_EVERY = Duration.ofSeconds(1);

  /** How long it looks: a request that may wait is not answered by a number. */
  private static final Duration LOOK = Duration.ofMillis(20);

  private final JobStream stream;
  private final JobSubjects subjects;
  private final Duration ackWait;
  private final Duration patience;
  private final Set<Operation> ready = ConcurrentHashMap.newKeySet();

  /** By consumer, when it was last found that there was nothing, on the monotonic clock. */
  private final Map<String, Long> looked = new ConcurrentHashMap<>();

  JobConsumers(JobStream stream, JobSubjects subjects, Duration ackWait, Duration patience) {
    this.stream = stream;
    this.subjects = subjects;
    this.ackWait = ackWait;
    this.patience = patience;
  }

  /** Whether the queue can be pulled from; one that never had a job is left without consumers. */
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

  /** Empty: there is none. */
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

  /** What is there now, almost without waiting. */
  List<Message> pull(Operation queue, JobPriority priority, int batch) {
    String consumer = JobSubjects.consumer(queue, priority);
    Long last = looked.get(consumer);
    boolean looks = last == null || System.nanoTime() - last >= LOOKS_EVERY.toNanos();
    List<Message> got = pull(queue, consumer, batch, looks);
    if (looks && got.isEmpty()) { // else it looks the next time too, until all are found
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
        // Another worker took what this pull was let in for, and it would wait for the next job.
        // What comes until the server knows that nobody listens any more is ours all the same.
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

  /** It is inactive as soon as nothing more can come, which may be before we ask. */
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

  /** Whether the pull has ended. */
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
