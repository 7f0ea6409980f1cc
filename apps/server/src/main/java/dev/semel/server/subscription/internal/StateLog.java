package dev.semel.server.subscription.internal;

import dev.semel.StoreException;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.server.subscription.internal.rules.SubscriptionChange;
import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.DataSlice;
import dev.semel.stream.spi.StreamResult;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The state of subscriptions, as changes in a reserved stream of the engine. When that has grown,
 * the whole state goes into a new stream; an index, a stream too, names the valid one.
 *
 * <p>Each write names the tail that it expects, and the old stream is closed before the new one
 * begins. So neither lost or late answers nor a second server can make two histories grow: an
 * outdated writer is refused, and has to load again. No name is used twice, so a late deletion
 * harms nothing.
 *
 * <p>For one caller at a time. After a failure only {@link #load} is of use.
 */
final class StateLog {
  private static final StreamPath INDEX = StreamPath.reserved("subscriptions");

  private record Content(List<JsonValue> values, Offset tail, boolean closed) {}

  private final StreamEngine engine;
  private LogNames names = LogNames.NONE;
  private Offset indexTail = Offset.ZERO;
  private Offset tail = Offset.ZERO;
  private boolean closed = true;
  private long wholeBytes;

  StateLog(StreamEngine engine) {
    this.engine = engine;
  }

  /** Whether there is no open stream to append to. */
  boolean needsRewrite() {
    return closed;
  }

  /** Whether what was appended since the last rewrite is longer than this and the whole state. */
  boolean grownBeyond(long bytes) {
    return tail.position() > bytes + 2 * wholeBytes;
  }

  /** All changes since the beginning; none at the first start. */
  Future<List<SubscriptionChange>> load() {
    closed = true;
    return read(INDEX)
        .compose(
            index -> {
              if (index.values().isEmpty()) {
                return Future.succeededFuture(List.of());
              }
              indexTail = index.tail();
              names = LogNames.read(index.values().getLast());
              return deleteOthers()
                  .otherwiseEmpty()
                  .compose(done -> read(data(names.current())))
                  .map(this::loaded);
            });
  }

  private List<SubscriptionChange> loaded(Content content) {
    if (content.values().isEmpty()) {
      throw new StoreException(
          "the state of subscriptions is lost: its index names a stream that is not there");
    }
    tail = content.tail();
    closed = content.closed();
    return content.values().stream().map(ChangeJson::read).toList();
  }

  private static StreamPath data(String name) {
    return StreamPath.reserved("subscriptions/" + name);
  }

  private Future<Content> read(StreamPath path) {
    return read(path, Offset.ZERO, new ArrayList<>());
  }

  private Future<Content> read(StreamPath path, Offset from, List<JsonValue> values) {
    return engine
        .read(path, from, JsonChunks.BYTES)
        .compose(
            answer -> {
              if (answer instanceof StreamResult.Data d) {
                DataSlice slice = d.slice();
                if (Json.parse(slice.body()) instanceof JsonArray a) {
                  values.addAll(a.items());
                }
                return slice.upToDate()
                    ? Future.succeededFuture(new Content(values, slice.next(), slice.closed()))
                    : read(path, slice.next(), values);
              }
              return answer instanceof StreamResult.Missing && values.isEmpty()
                  ? Future.succeededFuture(new Content(values, Offset.ZERO, true))
                  : refused("read", answer);
            });
  }

  /**
   * Appends changes.
   *
   * @param records changes as JSON
   */
  Future<Void> append(List<String> records) {
    return appendAll(data(names.current()), JsonChunks.of(records), 0);
  }

  private Future<Void> appendAll(StreamPath path, List<byte[]> chunks, int from) {
    if (from >= chunks.size()) {
      return Future.succeededFuture();
    }
    return append(path, chunks.get(from), tail)
        .compose(
            next -> {
              tail = next;
              return appendAll(path, chunks, from + 1);
            });
  }

  private Future<Offset> append(StreamPath path, byte[] chunk, Offset expected) {
    return engine
        .append(path, AppendRequest.of(ContentType.JSON, chunk).ifMatch(expected))
        .compose(
            answer ->
                answer instanceof StreamResult.Appended a
                    ? Future.succeededFuture(a.next())
                    : refused("written", answer));
  }

  /** Replaces everything that was written before with the whole state. */
  Future<Void> rewrite(List<String> whole) {
    LogNames old = names;
    String name = UUID.randomUUID().toString();
    List<byte[]> chunks = JsonChunks.of(whole);
    return announce(old, name)
        .compose(done -> closeOld(old))
        .compose(done -> create(data(name), chunks.getFirst()))
        .compose(
            end -> {
              tail = end;
              return appendAll(data(name), chunks, 1);
            })
        .compose(done -> adopt(old, name))
        .onSuccess(
            done -> {
              closed = false;
              wholeBytes = tail.position();
              // The old stream is obsolete; if this fails, the next load deletes it.
              deleteOthers();
            });
  }

  /** Names the new stream first, so that one that never becomes valid is found and deleted. */
  private Future<Void> announce(LogNames old, String name) {
    return old.current().isEmpty()
        ? Future.succeededFuture()
        : write(new LogNames(old.current(), with(old.others(), name)));
  }

  private static List<String> with(List<String> names, String more) {
    List<String> all = new ArrayList<>(names);
    all.add(more);
    return all;
  }

  private Future<Void> closeOld(LogNames old) {
    return closed
        ? Future.succeededFuture()
        : engine
            .append(data(old.current()), AppendRequest.closeOnly().ifMatch(tail))
            .compose(
                answer ->
                    answer instanceof StreamResult.Closed
                        ? Future.succeededFuture()
                        : refused("closed", answer));
  }

  private Future<Offset> create(StreamPath path, byte[] body) {
    return engine
        .create(CreateRequest.of(path, ContentType.JSON).withBody(body))
        .compose(
            answer ->
                answer instanceof StreamResult.Created c
                    ? Future.succeededFuture(c.head().tail())
                    : refused("created", answer));
  }

  /** Makes the new stream the valid one. */
  private Future<Void> adopt(LogNames old, String name) {
    if (old.current().isEmpty()) {
      names = new LogNames(name, List.of());
      byte[] body = ("[" + Json.write(names.json()) + "]").getBytes(StandardCharsets.UTF_8);
      return create(INDEX, body)
          .map(
              end -> {
                indexTail = end;
                return null;
              });
    }
    return write(new LogNames(name, with(old.others(), old.current())));
  }

  private Future<Void> write(LogNames next) {
    byte[] record = Json.write(next.json()).getBytes(StandardCharsets.UTF_8);
    return append(INDEX, record, indexTail)
        .map(
            end -> {
              indexTail = end;
              names = next;
              return null;
            });
  }

  private Future<Void> deleteOthers() {
    List<Future<?>> deletions = new ArrayList<>();
    for (String each : names.others()) {
      deletions.add(engine.delete(data(each)));
    }
    return Future.all(deletions)
        .map(
            all -> {
              names = new LogNames(names.current(), List.of());
              return null;
            });
  }

  private static <T> Future<T> refused(String what, StreamResult answer) {
    return Future.failedFuture(
        new StoreException(
            "the state of subscriptions could not be %s: the engine answered %s"
                .formatted(what, answer.getClass().getSimpleName())));
  }
}
