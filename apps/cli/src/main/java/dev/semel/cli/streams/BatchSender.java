package dev.semel.cli.streams;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.cli.ExitCode;
import dev.semel.cli.connect.OpenStreams;
import dev.semel.cli.run.OutOfTime;
import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.client.HttpStreams;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.StreamResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Appends batches as one producer, each once, however often it must send. For one thread.
 *
 * <p>Without a named producer, it takes an id that begins with {@code cli-}. It uses long idle ids
 * again, under a new epoch, because a stream only remembers a limited number. If it loses such an
 * id before it has sent anything of a batch, it takes another one.
 */
final class BatchSender {
  private static final String OWN = "cli-";
  private static final Duration IDLE = Duration.ofMinutes(10);

  /** A refusal that ends the command; earlier appends stay. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient StreamRefusal refusal;

    Refused(StreamRefusal refusal) {
      super(refusal.message());
      this.refusal = refusal;
    }

    StreamRefusal refusal() {
      return refusal;
    }
  }

  private final OpenStreams open;
  private final StreamPath path;
  private final ContentType type;
  private final boolean named;
  private final RetryPeriod patience;
  private ProducerTuple next;
  private long sent;

  /**
   * @param producer the id to append as; empty: one of our own
   */
  BatchSender(
      OpenStreams open, StreamPath path, ContentType type, String producer, RetryPeriod patience) {
    this.open = open;
    this.path = path;
    this.type = type;
    this.named = !producer.isEmpty();
    this.patience = patience;
    this.next = named ? following(producer) : ours();
  }

  String producer() {
    return next.id();
  }

  long epoch() {
    return next.epoch();
  }

  /** Begins a new epoch: our first batch fences producers of this id with an older one. */
  private ProducerTuple following(String id) {
    return known().stream()
        .filter(p -> !p.managed() && p.id().equals(id))
        .findFirst()
        .map(BatchSender::after)
        .orElseGet(() -> new ProducerTuple(id, 0, 0));
  }

  private static ProducerTuple after(StreamResult.Producer known) {
    return new ProducerTuple(known.id(), known.epoch() + 1, 0);
  }

  private ProducerTuple ours() {
    Instant idle = Instant.now().minus(IDLE);
    List<StreamResult.Producer> known;
    try {
      known = known();
    } catch (HttpStreams.NotAllowed e) {
      known = List.of(); // a token for appends alone can't list producers
    }
    return known.stream()
        .filter(p -> !p.managed() && p.id().startsWith(OWN))
        .filter(p -> Instant.ofEpochMilli(p.lastUsed()).isBefore(idle))
        .findFirst()
        .map(BatchSender::after)
        .orElseGet(BatchSender::fresh);
  }

  private static ProducerTuple fresh() {
    return new ProducerTuple(OWN + UUID.randomUUID(), 0, 0);
  }

  private List<StreamResult.Producer> known() {
    return OpenStreams.get(open.streams().producers(path));
  }

  /**
   * Appends a batch.
   *
   * @param body may be empty if it closes
   * @return the stream's tail after it, as far as it is known
   * @throws Refused the streams don't take it
   * @throws OutOfTime whether it took effect is not known
   */
  Offset send(byte[] body, boolean close) {
    boolean first = true;
    while (true) {
      try {
        StreamResult.ToAppend answer =
            OpenStreams.get(open.streams().append(path, request(body, close)));
        if (answer instanceof StreamResult.Busy busy) {
          StreamRefusal refusal = StreamRefusal.of(path, busy);
          patience.afterFailure(new StoreException(refusal.message()), state());
        } else if (first && !named && lostId(answer)) {
          next = fresh();
        } else {
          Offset end = end(answer, first);
          patience.restored();
          next = new ProducerTuple(next.id(), next.epoch(), next.seq() + 1);
          sent++;
          return end;
        }
      } catch (OutOfTime e) {
        throw e;
      } catch (StoreException e) {
        if (!open.remote()) {
          throw e;
        }
        first = false;
        patience.afterFailure(e, state());
      }
    }
  }

  private AppendRequest request(byte[] body, boolean close) {
    AppendRequest append =
        body.length == 0 ? AppendRequest.closeOnly() : AppendRequest.of(type, body);
    return (close ? append.closing() : append).by(next);
  }

  /**
   * Another process uses the id now. Nothing of this batch was sent before, so none of it is
   * stored.
   */
  private static boolean lostId(StreamResult.ToAppend answer) {
    return answer instanceof StreamResult.StaleEpoch || answer instanceof StreamResult.Duplicate;
  }

  private Offset end(StreamResult.ToAppend answer, boolean first) {
    if (answer instanceof StreamResult.Appended a) {
      return a.next();
    }
    if (answer instanceof StreamResult.Closed c) {
      return c.next();
    }
    if (answer instanceof StreamResult.Duplicate d) {
      if (first) {
        throw new Refused(
            new StreamRefusal(
                ExitCode.CONFLICT,
                "fenced: someone else appends as the producer %s at the same time; use another --producer"
                    .formatted(next.id())));
      }
      return d.first().map(StreamResult.Batch::next).orElse(d.tail());
    }
    if (!first && answer instanceof StreamResult.StaleEpoch s) {
      throw new Refused(
          new StreamRefusal(
              ExitCode.CONFLICT,
              "fenced by epoch %d of the producer %s: whether the last batch is there is not known"
                  .formatted(s.current(), next.id())));
    }
    throw new Refused(StreamRefusal.of(path, answer));
  }

  private String state() {
    return "%d batches are there; whether the next one is, nobody knows".formatted(sent);
  }

  /** Checks an id before anything is opened, so that nothing is created in vain. */
  static String checkedId(String id) {
    if (id.isEmpty()) {
      throw new InvalidInput("--producer has no value");
    }
    return new ProducerTuple(id, 0, 0).id();
  }
}
