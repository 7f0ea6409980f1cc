package dev.semel.nats;

import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.job.spi.ReservedJob;
import dev.semel.nats.JobNotes.Note;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsJetStreamMetaData;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of this process's workers. The broker has one lease for all; for another lease this
 * sends a negative acknowledgement with a delay, so that the broker redelivers the job after that
 * time and leaves it with the worker until then.
 */
final class JobHands {
  /** The most jobs that are remembered, finished ones included, because a step may be repeated. */
  static final int MAX_KNOWN = 16_384;

  private static final byte[] DONE = ascii("+ACK");
  private static final byte[] IN_PROGRESS = ascii("+WPI");

  /** A message that was handed out. */
  record Held(JobRecord record, String answerTo, long delivered, long leaseEnd) {}

  /** A job that a worker has. */
  static final class Holding {
    private final Held held;
    private final Note note;
    private final boolean noted;
    private long leaseEnd;
    private volatile boolean over;

    private Holding(Held held, Note note, boolean noted) {
      this.held = held;
      this.note = note;
      this.noted = noted;
      this.leaseEnd = held.leaseEnd();
    }

    Held held() {
      return held;
    }

    Note note() {
      return note;
    }

    boolean noted() {
      return noted;
    }
  }

  private final JobStream stream;
  private final Duration usual;
  private final Map<Token, Holding> known = new LinkedHashMap<>();

  JobHands(JobStream stream, Duration usual) {
    this.stream = stream;
    this.usual = usual;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Takes pulled messages, once the broker has confirmed their lease.
   *
   * @param since when they were requested, so that we never assume a longer lease than the broker
   *     does
   */
  List<Held> take(List<Message> pulled, Duration lease, long since) {
    boolean other = !lease.equals(usual);
    long end = (other ? System.nanoTime() : since) + lease.toNanos();
    List<Held> held = pulled.stream().map(message -> held(message, end)).toList();
    if (other) {
      List<CompletableFuture<Message>> asked =
          held.stream().map(each -> stream.request(each.answerTo(), null, later(lease))).toList();
      asked.forEach(stream::answer);
    }
    return held;
  }

  private static Held held(Message message, long leaseEnd) {
    NatsJetStreamMetaData meta = message.metaData();
    JobRecord found =
        new JobRecord(
            message.getSubject(),
            meta.streamSequence(),
            meta.timestamp().toInstant(),
            Objects.requireNonNullElseGet(message.getHeaders(), Headers::new),
            Objects.requireNonNullElse(message.getData(), JobStream.nothing()));
    return new Held(
        found, Objects.requireNonNull(message.getReplyTo()), meta.deliveredCount(), leaseEnd);
  }

  private static byte[] later(Duration pause) {
    return ascii("-NAK {\"delay\":" + pause.toNanos() + "}");
  }

  synchronized Token hold(Held held, Note note, boolean noted) {
    Token token = Token.draw();
    known.put(token, new Holding(held, note, noted));
    if (known.size() > MAX_KNOWN) {
      forgetOne();
    }
    return token;
  }

  /** Forgets the oldest job that no worker has any more; others may be held for long. */
  private void forgetOne() {
    Iterator<Holding> all = known.values().iterator();
    while (all.hasNext()) {
      Holding each = all.next();
      if (each.over || ended(each)) {
        all.remove();
        return;
      }
    }
  }

  void acknowledge(Held held) {
    stream.answer(stream.request(held.answerTo(), null, DONE));
  }

  void comeAgain(Held held, Duration pause) {
    byte[] word = pause.isZero() || pause.isNegative() ? ascii("-NAK") : later(pause);
    stream.answer(stream.request(held.answerTo(), null, word));
  }

  /** Returns jobs whose lease ended by our own clock, because the broker would not report that. */
  List<ReservedJob> extend(List<ReservedJob> all, Duration lease) {
    List<ReservedJob> lost = new ArrayList<>();
    Map<Holding, CompletableFuture<Message>> asked = new LinkedHashMap<>();
    byte[] word = lease.equals(usual) ? IN_PROGRESS : later(lease);
    // Taken before the request, so that we never assume a longer lease than the broker does.
    long end = System.nanoTime() + lease.toNanos();
    for (ReservedJob each : all) {
      Holding one = find(each);
      if (one == null || one.over || ended(one)) {
        lost.add(each);
      } else {
        asked.put(one, stream.request(one.held.answerTo(), null, word));
      }
    }
    asked.forEach(
        (one, answer) -> {
          stream.answer(answer);
          synchronized (this) {
            one.leaseEnd = end;
          }
        });
    return lost;
  }

  private synchronized @Nullable Holding find(ReservedJob reserved) {
    return known.get(reserved.token());
  }

  private synchronized boolean ended(Holding one) {
    return System.nanoTime() - one.leaseEnd >= 0;
  }

  /**
   * Runs a job's last step once; a failed one may be repeated.
   *
   * @param late whether the step may run after the lease, when another worker may have the job
   */
  boolean end(ReservedJob reserved, boolean late, Consumer<Holding> step) {
    Holding one = find(reserved);
    if (one == null) {
      return false;
    }
    if (!one.over) {
      if (!late && ended(one)) {
        return false;
      }
      step.accept(one);
      one.over = true;
    }
    return true;
  }

  /** The worker's job; throws if the worker does not have it. */
  Held of(ReservedJob reserved) {
    Holding one = find(reserved);
    if (one == null) {
      throw new StoreException("this worker does not have the job " + reserved.job().key());
    }
    return one.held;
  }
}
