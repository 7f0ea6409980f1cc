package dev.semel.server.stream;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.internal.PrintableText;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.ProblemDocument;
import dev.semel.server.http.RequestTarget;
import dev.semel.server.http.ShutdownState;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.DataSlice;
import dev.semel.stream.spi.FilePart;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** GET: reads what is there, or also what comes later. */
final class ReadRoute {
  private final Vertx vertx;
  private final Streams streams;
  private final StreamHttpSettings serving;
  private final HomeLoop loop;
  private final MemoryBudget budget;
  private final ReadReply reply;
  private final TailReaders tails;
  private final CacheCursors cursors = new CacheCursors(InstantSource.system());
  private final AtomicInteger liveReaders;
  private final ShutdownState departure;
  private final Set<LiveReader> open = new HashSet<>();
  private final Map<Place, EncodedData> kept = new HashMap<>();
  private boolean stopped;

  ReadRoute(
      Vertx vertx,
      Streams streams,
      StreamHttpSettings serving,
      ServerContext shared,
      HomeLoop loop) {
    this.vertx = vertx;
    this.streams = streams;
    this.serving = serving;
    this.loop = loop;
    this.reply = new ReadReply(serving.shared(), shared.bytesOut(), shared.budget());
    this.budget = shared.budget();
    this.tails = new TailReaders(vertx, streams, loop, this::maxLiveBytes);
    this.liveReaders = shared.liveReaders();
    this.departure = shared.departure();
  }

  void handle(HttpServerRequest request, RequestTarget target, StreamPath path) {
    String offset = target.parameter("offset");
    String live = target.parameter("live");
    ReadFrom from = offset == null ? new ReadFrom.Start() : ReadFrom.parse(offset);
    if (live == null) {
      catchUp(request, path, from);
      return;
    }
    if (offset == null) {
      throw new InvalidInput("a live read needs an offset: send offset=-1, now, or where you are");
    }
    long cursor = CacheCursors.parse(target.parameter("cursor"));
    switch (live) {
      case "long-poll" -> begin(new LongPoll(this, request, path, from, cursor));
      case "sse" -> begin(new SseReader(this, request, path, from, cursor));
      default ->
          throw new InvalidInput(
              "live=%s is none of long-poll and sse".formatted(PrintableText.quoted(live)));
    }
  }

  private void catchUp(HttpServerRequest request, StreamPath path, ReadFrom from) {
    EngineCalls.answer(
        loop,
        request,
        () -> streams.readToSend(path, from, maxReadBytes()),
        answer -> {
          if (answer instanceof StreamResult.Data d) {
            reply.send(request, EncodedData.of(d.slice()), from instanceof ReadFrom.Now);
          } else if (answer instanceof StreamResult.InFile f) {
            reply.send(request, f);
          } else {
            ReadReply.refused(answer).send(request);
          }
        });
  }

  /** Less while much is held: readers come again for the rest. */
  private int maxReadBytes() {
    return budget.tight()
        ? Math.min(MemoryBudget.PIECE_BYTES, serving.maxReadBytes())
        : serving.maxReadBytes();
  }

  /** Limit of one read and write for a live reader, which stays for more. */
  private int maxLiveBytes() {
    return Math.min(budget.pieceBytes(), serving.maxReadBytes());
  }

  void read(StreamPath path, ReadFrom from, TailReaders.Reader reader) {
    if (kept.isEmpty()) {
      readAnew(path, from, reader);
      return;
    }
    EngineCalls.ask(
        loop,
        () -> streams.head(path),
        (answer, failure) -> {
          EncodedData there =
              answer instanceof StreamResult.Found f ? kept.get(Place.of(f.head(), from)) : null;
          if (there == null) {
            readAnew(path, from, reader);
          } else {
            reader.ready(new StreamResult.Data(there.slice()), Optional.of(there));
          }
        });
  }

  /**
   * Keeps a long message that readers are in the middle of, so that others at the same place share
   * it. What a stream holds never changes.
   */
  boolean keep(EncodedData reading) {
    if (!reading.hold(budget)) {
      return false;
    }
    if (reading.whole()) { // else it ends where only readers of events stop
      kept.putIfAbsent(Place.of(reading), reading);
    }
    return true;
  }

  void letGo(EncodedData reading) {
    if (reading.letGo(budget)) {
      kept.remove(Place.of(reading), reading);
    }
  }

  private record Place(long incarnation, Offset from) {
    static Place of(StreamHead head, ReadFrom from) {
      return new Place(head.incarnation(), from.in(head));
    }

    static Place of(EncodedData reading) {
      return new Place(reading.slice().head().incarnation(), reading.slice().from());
    }
  }

  private void readAnew(StreamPath path, ReadFrom from, TailReaders.Reader reader) {
    EngineCalls.ask(
        loop,
        () -> streams.readToSend(path, from, maxLiveBytes()),
        (answer, failure) -> {
          if (answer == null || failure != null) {
            reader.failed(failure == null ? new IllegalStateException("no answer") : failure);
          } else if (answer instanceof StreamResult.InFile f) {
            fetch(f, from, reader);
          } else {
            reader.ready(answer, EncodedData.ofData(answer));
          }
        });
  }

  /** Reads a long message only after there is room for it, and for its events. */
  private void fetch(StreamResult.InFile found, ReadFrom from, TailReaders.Reader reader) {
    DataSlice slice = found.slice();
    long length = found.part().length();
    long counted = length > MemoryBudget.PIECE_BYTES ? 2 * length : 0;
    try (FilePart part = found.part()) {
      EncodedData there = kept.get(Place.of(slice.head(), from));
      if (there != null) {
        reader.ready(new StreamResult.Data(there.slice()), Optional.of(there));
        return;
      }
      if (!budget.take(counted)) {
        reader.failed(budget.exceeded());
        return;
      }
      try {
        DataSlice read = slice.with(List.of(part.read(0, Math.toIntExact(length))));
        reader.ready(new StreamResult.Data(read), Optional.of(EncodedData.of(read)));
      } finally {
        budget.letGo(counted);
      }
    } catch (IOException e) {
      reader.failed(new StoreException("a stream's data can't be read: " + e, e));
    }
  }

  private void begin(LiveReader reader) {
    if (liveReaders.incrementAndGet() > serving.maxLiveReaders()) {
      liveReaders.decrementAndGet();
      tooMany(reader.request());
      return;
    }
    open.add(reader);
    reader.request().response().closeHandler(v -> reader.hungUp());
    reader.begin();
  }

  static void tooMany(HttpServerRequest request) {
    request.response().putHeader(HeaderNames.RETRY_AFTER, "1");
    ProblemDocument.of(429, "too-many-readers", "too many readers wait for data: try again later")
        .send(request);
  }

  void ended(LiveReader reader) {
    if (open.remove(reader)) {
      liveReaders.decrementAndGet();
    }
  }

  void stop() {
    stopped = true;
    for (LiveReader reader : Set.copyOf(open)) {
      departure.tell(reader.request());
      reader.stop();
    }
  }

  boolean stopped() {
    return stopped;
  }

  Vertx vertx() {
    return vertx;
  }

  StreamHttpSettings serving() {
    return serving;
  }

  MemoryBudget budget() {
    return budget;
  }

  HomeLoop loop() {
    return loop;
  }

  ReadReply reply() {
    return reply;
  }

  TailReaders tails() {
    return tails;
  }

  CacheCursors cursors() {
    return cursors;
  }

  /** A reader that stays for new data. */
  interface LiveReader {
    HttpServerRequest request();

    void begin();

    /** Ends the answer because the server stops; the client may come again. */
    void stop();

    void hungUp();
  }

  static @Nullable Runnable cancel(@Nullable Runnable waiting) {
    if (waiting != null) {
      waiting.run();
    }
    return null;
  }
}
