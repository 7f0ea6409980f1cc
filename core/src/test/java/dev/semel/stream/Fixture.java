package dev.semel.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.StoreException;
import dev.semel.stream.internal.ChangeCodec;
import dev.semel.stream.internal.StreamChange;
import dev.semel.stream.internal.StreamTable;
import dev.semel.stream.internal.local.MemoryData;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.DataSlice;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** An engine in memory with a clock that stands still, and short words for what tests do to it. */
public final class Fixture {
  public static final ContentType TEXT = ContentType.parse("text/plain");
  public static final StreamPath PATH = new StreamPath("orders");

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  final List<StreamChange> changes = new ArrayList<>();
  public final MemoryStreams streams;

  public Fixture() {
    this(StreamLimits.defaults(), StreamRetention.FOR_EVER);
  }

  Fixture(StreamLimits limits, StreamRetention retention) {
    this.streams = new MemoryStreams(() -> now, limits, retention, new MemoryData(changes::add));
  }

  long millis() {
    return now.toEpochMilli();
  }

  void advance(Duration time) {
    now = now.plus(time);
  }

  public static StreamPath path(String text) {
    return new StreamPath(text);
  }

  public static Offset at(long position) {
    return new Offset(position);
  }

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  public static AppendRequest text(String text) {
    return AppendRequest.of(TEXT, bytes(text));
  }

  static AppendRequest json(String text) {
    return AppendRequest.of(ContentType.JSON, bytes(text));
  }

  static Streams.Submission submission(
      StreamPath path, AppendRequest request, Consumer<StreamResult.ToAppend> answer) {
    return new Streams.Submission() {
      @Override
      public StreamPath path() {
        return path;
      }

      @Override
      public AppendRequest request() {
        return request;
      }

      @Override
      public void answered(StreamResult.ToAppend given) {
        answer.accept(given);
      }

      @Override
      public void failed(StoreException cause) {
        throw cause;
      }
    };
  }

  public static ProducerTuple tuple(String id, long epoch, long seq) {
    return new ProducerTuple(id, epoch, seq);
  }

  /** The engine in memory answers before it returns. */
  static <T> T now(CompletionStage<T> stage) {
    assertThat(stage.toCompletableFuture()).isDone();
    return stage.toCompletableFuture().join();
  }

  StreamResult.ToCreate create(CreateRequest request) {
    return now(streams.create(request));
  }

  public StreamResult.ToCreate create(ContentType type) {
    return create(CreateRequest.of(PATH, type));
  }

  public StreamResult.ToAppend append(AppendRequest request) {
    return append(PATH, request);
  }

  StreamResult.ToAppend append(StreamPath path, AppendRequest request) {
    return now(streams.append(path, request));
  }

  StreamResult.ToDelete delete(StreamPath path) {
    return now(streams.delete(path));
  }

  StreamResult.ToHead head(StreamPath path) {
    return now(streams.head(path));
  }

  StreamHead found(StreamPath path) {
    return ((StreamResult.Found) head(path)).head();
  }

  StreamResult.ToRead read(StreamPath path, ReadFrom from, int max) {
    return now(streams.read(path, from, max));
  }

  DataSlice slice(StreamPath path, ReadFrom from, int max) {
    return ((StreamResult.Data) read(path, from, max)).slice();
  }

  /** All of it, in one piece. */
  String content(StreamPath path) {
    return content(slice(path, new ReadFrom.Start(), Integer.MAX_VALUE));
  }

  public String content() {
    return content(PATH);
  }

  static String content(DataSlice slice) {
    return new String(slice.body(), StandardCharsets.UTF_8);
  }

  /** What was written, applied to nothing, as a recovery would. */
  StreamTable replayed() {
    ChangeCodec codec = new ChangeCodec();
    StreamTable table = new StreamTable();
    changes.forEach(change -> table.apply(ChangeCodec.decode(codec.encode(change))));
    return table;
  }
}
