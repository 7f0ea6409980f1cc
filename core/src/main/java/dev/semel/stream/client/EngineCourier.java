package dev.semel.stream.client;

import dev.semel.StoreException;
import dev.semel.stream.Answer;
import dev.semel.stream.Append;
import dev.semel.stream.ContentType;
import dev.semel.stream.ProducerTuple;
import dev.semel.stream.StreamPath;
import dev.semel.stream.Streams;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** To a stream of an engine in this process. */
public final class EngineCourier implements Courier {
  private final Streams streams;
  private final StreamPath path;
  private final ContentType type;

  /**
   * @param streams stays open: it belongs to whoever opened it
   */
  public EngineCourier(Streams streams, StreamPath path, ContentType type) {
    this.streams = streams;
    this.path = path;
    this.type = type;
  }

  @Override
  public void send(Parcel parcel, Consumer<Receipt> reply) {
    streams.append(List.of(new Handed(parcel, reply)));
  }

  private static Receipt receipt(Answer.ToAppend answer) {
    return switch (answer) {
      case Answer.Appended a -> new Receipt.Accepted(Optional.of(a.next().text()));
      case Answer.Closed c -> new Receipt.Accepted(Optional.of(c.next().text()));
      case Answer.Duplicate d -> new Receipt.Duplicate(Optional.of(d.tail().text()));
      case Answer.StaleEpoch s -> new Receipt.Stale(s.current());
      case Answer.Gap g -> new Receipt.Gap(g.expected());
      case Answer.StreamClosed c -> new Receipt.Closed();
      case Answer.Malformed m -> new Receipt.Refused(400, m.message(), true);
      case Answer.TooLarge t ->
          new Receipt.Refused(413, "the limit is %d bytes".formatted(t.max()), true);
      case Answer.OtherType t ->
          new Receipt.Refused(409, "the stream holds " + t.expected().text(), false);
      case Answer.Missing m -> new Receipt.Refused(404, "there is no such stream", false);
      case Answer.Gone g -> new Receipt.Refused(410, "the stream was deleted", false);
      case Answer.Full f -> later("the limit of %d %s is reached".formatted(f.max(), f.limit()));
      case Answer.Busy b -> later("the engine is behind with its work");
      case Answer.NoRoom n -> later("the disk is nearly full");
      case Answer.TailMoved t -> throw new IllegalStateException("no tail was asked for");
      case Answer.SeqRegression s -> throw new IllegalStateException("no sequence was sent");
    };
  }

  private static Receipt later(String why) {
    return new Receipt.NotYet(new StoreException(why), Duration.ZERO);
  }

  /** Engines answer whatever they were given. */
  @Override
  public void close() {}

  private final class Handed implements Streams.Submission {
    private final Append request;
    private final Consumer<Receipt> reply;

    /** JSON is taken apart here, once, and not where engines ask for it and others wait. */
    Handed(Parcel parcel, Consumer<Receipt> reply) {
      Append append =
          parcel.body().length == 0 ? Append.closeOnly() : Append.of(type, parcel.body());
      this.request =
          (parcel.closes() ? append.closing() : append)
              .by(new ProducerTuple(parcel.producer(), parcel.epoch(), parcel.seq()));
      this.reply = reply;
    }

    @Override
    public StreamPath path() {
      return path;
    }

    @Override
    public Append request() {
      return request;
    }

    @Override
    public void answered(Answer.ToAppend answer) {
      reply.accept(receipt(answer));
    }

    @Override
    public void failed(StoreException cause) {
      reply.accept(new Receipt.Lost(cause));
    }
  }
}
