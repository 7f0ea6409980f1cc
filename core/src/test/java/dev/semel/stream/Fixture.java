package dev.semel.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** An engine in memory with a clock that stands still, and short words for what tests do to it. */
final class Fixture {
  static final ContentType TEXT = ContentType.parse("text/plain");
  static final StreamPath PATH = new StreamPath("orders");

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  final List<Change> changes = new ArrayList<>();
  final MemoryStreams streams;

  Fixture() {
    this(Limits.defaults(), Retention.FOR_EVER);
  }

  Fixture(Limits limits, Retention retention) {
    this.streams = new MemoryStreams(() -> now, limits, retention, new MemoryData(changes::add));
  }

  long millis() {
    return now.toEpochMilli();
  }

  void advance(Duration time) {
    now = now.plus(time);
  }

  static StreamPath path(String text) {
    return new StreamPath(text);
  }

  static Offset at(long position) {
    return new Offset(position);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static Append text(String text) {
    return Append.of(TEXT, bytes(text));
  }

  static Append json(String text) {
    return Append.of(ContentType.JSON, bytes(text));
  }

  static Streams.Submission submission(
      StreamPath path, Append request, Consumer<Answer.ToAppend> answer) {
    return new Streams.Submission() {
      @Override
      public StreamPath path() {
        return path;
      }

      @Override
      public Append request() {
        return request;
      }

      @Override
      public void answered(Answer.ToAppend given) {
        answer.accept(given);
      }

      @Override
      public void failed(StoreException cause) {
        throw cause;
      }
    };
  }

  static ProducerTuple tuple(String id, long epoch, long seq) {
    return new ProducerTuple(id, epoch, seq);
  }

  /** The engine in memory answers before it returns. */
  static <T> T now(CompletionStage<T> stage) {
    assertThat(stage.toCompletableFuture()).isDone();
    return stage.toCompletableFuture().join();
  }

  Answer.ToCreate create(Create request) {
    return now(streams.create(request));
  }

  Answer.ToCreate create(ContentType type) {
    return create(Create.of(PATH, type));
  }

  Answer.ToAppend append(Append request) {
    return append(PATH, request);
  }

  Answer.ToAppend append(StreamPath path, Append request) {
    return now(streams.append(path, request));
  }

  Answer.ToDelete delete(StreamPath path) {
    return now(streams.delete(path));
  }

  Answer.ToHead head(StreamPath path) {
    return now(streams.head(path));
  }

  Head found(StreamPath path) {
    return ((Answer.Found) head(path)).head();
  }

  Answer.ToRead read(StreamPath path, ReadFrom from, int max) {
    return now(streams.read(path, from, max));
  }

  Slice slice(StreamPath path, ReadFrom from, int max) {
    return ((Answer.Data) read(path, from, max)).slice();
  }

  /** All of it, in one piece. */
  String content(StreamPath path) {
    return content(slice(path, new ReadFrom.Start(), Integer.MAX_VALUE));
  }

  String content() {
    return content(PATH);
  }

  static String content(Slice slice) {
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
