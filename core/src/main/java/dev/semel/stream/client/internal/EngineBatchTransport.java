package dev.semel.stream.client.internal;

import dev.semel.StoreException;
import dev.semel.stream.ContentType;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Carries batches to a stream of an engine in this process. */
public final class EngineBatchTransport implements BatchTransport {
  private final Streams streams;
  private final StreamPath path;
  private final ContentType type;

  /**
   * Sends to this stream.
   *
   * @param streams stays open: the code that opened it closes it
   */
  public EngineBatchTransport(Streams streams, StreamPath path, ContentType type) {
    this.streams = streams;
    this.path = path;
    this.type = type;
  }

  @Override
  public void send(BatchRequest batchRequest, Consumer<BatchResult> reply) {
    streams.append(List.of(new Handed(batchRequest, reply)));
  }

  private static BatchResult receipt(StreamResult.ToAppend answer) {
    return switch (answer) {
      case StreamResult.Appended a -> new BatchResult.Accepted(Optional.of(a.next().text()));
      case StreamResult.Closed c -> new BatchResult.Accepted(Optional.of(c.next().text()));
      case StreamResult.Duplicate d -> new BatchResult.Duplicate(Optional.of(d.tail().text()));
      case StreamResult.StaleEpoch s -> new BatchResult.Stale(s.current());
      case StreamResult.Gap g -> new BatchResult.Gap(g.expected());
      case StreamResult.StreamClosed c -> new BatchResult.Closed();
      case StreamResult.Malformed m -> new BatchResult.Refused(400, m.message(), true);
      case StreamResult.TooLarge t ->
          new BatchResult.Refused(413, "the limit is %d bytes".formatted(t.max()), true);
      case StreamResult.OtherType t ->
          new BatchResult.Refused(409, "the stream holds " + t.expected().text(), false);
      case StreamResult.Missing m -> new BatchResult.Refused(404, "there is no such stream", false);
      case StreamResult.Gone g -> new BatchResult.Refused(410, "the stream was deleted", false);
      case StreamResult.Full f ->
          later("the limit of %d %s is reached".formatted(f.max(), f.limit()));
      case StreamResult.Busy b -> later("the engine is behind with its work");
      case StreamResult.NoRoom n -> later("the disk is nearly full");
      case StreamResult.TailMoved t -> throw new IllegalStateException("no tail was asked for");
      case StreamResult.SeqRegression s -> throw new IllegalStateException("no sequence was sent");
    };
  }

  private static BatchResult later(String why) {
    return new BatchResult.NotYet(new StoreException(why), Duration.ZERO);
  }

  /** Does nothing: an engine answers every request. */
  @Override
  public void close() {}

  private final class Handed implements Streams.Submission {
    private final AppendRequest request;
    private final Consumer<BatchResult> reply;

    /** Parses JSON here, once, and not under the engine's guard where others wait. */
    Handed(BatchRequest batchRequest, Consumer<BatchResult> reply) {
      AppendRequest append =
          batchRequest.body().length == 0
              ? AppendRequest.closeOnly()
              : AppendRequest.of(type, batchRequest.body());
      this.request =
          (batchRequest.closes() ? append.closing() : append)
              .by(
                  new ProducerTuple(
                      batchRequest.producer(), batchRequest.epoch(), batchRequest.seq()));
      this.reply = reply;
    }

    @Override
    public StreamPath path() {
      return path;
    }

    @Override
    public AppendRequest request() {
      return request;
    }

    @Override
    public void answered(StreamResult.ToAppend answer) {
      reply.accept(receipt(answer));
    }

    @Override
    public void failed(StoreException cause) {
      reply.accept(new BatchResult.Lost(cause));
    }
  }
}
