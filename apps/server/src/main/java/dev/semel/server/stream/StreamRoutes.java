package dev.semel.server.stream;

import dev.semel.InvalidInput;
import dev.semel.server.http.Histogram;
import dev.semel.server.http.ProblemDocument;
import dev.semel.server.http.RequestTarget;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The protocol's methods on one stream, for the connections of one event loop. Access was checked
 * before.
 */
public final class StreamRoutes {
  /** Prefix of every stream's address. */
  public static final String ROOT = "/v1/stream/";

  public static final String METHODS = "GET, HEAD, PUT, POST, DELETE, OPTIONS";

  /** A body of this length or more is parsed beside the event loop. */
  private static final int LONG_BYTES = 128 << 10;

  /** Heap for each thread of such work: the worst allowed body may need some hundred megabytes. */
  private static final long LONG_WORK_BYTES = 256L << 20;

  private final Streams streams;
  private final StreamWatcher watcher;
  private final Histogram appendTimes;
  private final HomeLoop loop;
  private final StreamRequests requests = new StreamRequests();
  private final RequestBodies bodies;
  private final AppendBatches appends;
  private final EarlyAppends early;
  private final ReadRoute reads;
  private final WorkerExecutor longWork;

  public StreamRoutes(
      Vertx vertx,
      Streams streams,
      StreamHttpSettings serving,
      ServerContext shared,
      HomeLoop loop) {
    this.streams = streams;
    this.watcher = shared.watcher();
    this.appendTimes = shared.appendTimes();
    this.loop = loop;
    this.bodies = new RequestBodies(vertx, serving.maxBodyBytes(), shared.budget());
    this.appends = new AppendBatches(streams, loop);
    this.early = new EarlyAppends(vertx, appends, shared.budget());
    this.longWork = vertx.createSharedWorkerExecutor("semel-long", longWorkers());
    this.reads = new ReadRoute(vertx, streams, serving, shared, loop);
  }

  private static int longWorkers() {
    Runtime machine = Runtime.getRuntime();
    return Math.clamp(
        machine.maxMemory() / LONG_WORK_BYTES, 1, Math.max(1, machine.availableProcessors() / 2));
  }

  HomeLoop loop() {
    return loop;
  }

  EarlyAppends early() {
    return early;
  }

  StreamWatcher watcher() {
    return watcher;
  }

  Histogram appendTimes() {
    return appendTimes;
  }

  /** The stream that an address names. */
  public static StreamPath path(RequestTarget target) {
    return new StreamPath(target.below(ROOT.length()));
  }

  /**
   * The source of a new stream that is to be a fork; its creator must be allowed to read the
   * source.
   */
  public static Optional<StreamPath> forkedFrom(HttpServerRequest request) {
    return StreamRequests.forkedFrom(request.headers());
  }

  /**
   * Answers now or later.
   *
   * @throws InvalidInput with the message for the caller
   */
  public void handle(HttpServerRequest request, RequestTarget target, StreamPath path) {
    switch (request.method().name()) {
      case "POST" -> append(request, path);
      case "GET" -> {
        BrowserRules.sandbox(request.response());
        reads.handle(request, target, path);
      }
      case "PUT" -> create(request, path);
      case "HEAD" -> {
        BrowserRules.sandbox(request.response());
        answer(request, () -> streams.head(path), a -> StreamReplies.head(request, a));
      }
      case "DELETE" -> answer(request, () -> streams.delete(path), a -> deleted(request, path, a));
      default -> ProblemDocument.notAllowed(request, METHODS);
    }
  }

  /** Answers waiting readers at once that there is no data for now. */
  public void stop() {
    reads.stop();
  }

  private void append(HttpServerRequest request, StreamPath path) {
    StreamRequests.AppendHead head = requests.append(request.headers());
    bodies.readAndHold(
        request,
        (raw, over) -> {
          if (raw.length >= LONG_BYTES) {
            appendBeside(request, path, head, raw, over);
            return;
          }
          try {
            appends.add(new PendingAppend(request, path, head.with(raw), this, over));
          } catch (InvalidInput e) {
            over.run();
            CallFailures.send(request, e);
          }
        });
  }

  /**
   * Appends a long body: finding its messages and writing them takes longer than other connections
   * of this event loop should wait.
   */
  private void appendBeside(
      HttpServerRequest request,
      StreamPath path,
      StreamRequests.AppendHead head,
      byte[] raw,
      Runnable over) {
    early.begins(path, head.sender());
    longWork
        .executeBlocking(
            () -> {
              PendingAppend append = new PendingAppend(request, path, head.with(raw), this, over);
              append.takesLong();
              appends.handOver(append);
              return append;
            },
            false)
        .onFailure(
            failure -> {
              early.ends(path, head.sender());
              over.run();
              CallFailures.send(request, failure);
            });
  }

  private void create(HttpServerRequest request, StreamPath path) {
    CreateRequest create = requests.create(path, request.headers());
    bodies.readAndHold(
        request,
        (raw, over) -> {
          if (raw.length >= LONG_BYTES) {
            longWork
                .executeBlocking(() -> streams.create(create.withBody(raw)), false)
                .onComplete(
                    stage ->
                        answer(
                            request,
                            () -> stage.whenComplete((a, failure) -> over.run()),
                            a -> created(request, a)),
                    failure -> {
                      over.run();
                      CallFailures.send(request, failure);
                    });
          } else {
            over.run();
            answer(request, () -> streams.create(create.withBody(raw)), a -> created(request, a));
          }
        });
  }

  private void created(HttpServerRequest request, StreamResult.ToCreate answer) {
    if (answer instanceof StreamResult.Created c) {
      watcher.created(c.head().path(), c.head().tail());
    }
    StreamReplies.created(request, answer);
  }

  private void deleted(HttpServerRequest request, StreamPath path, StreamResult.ToDelete answer) {
    if (answer instanceof StreamResult.Deleted) {
      watcher.deleted(path);
    }
    StreamReplies.deleted(request, answer);
  }

  private <A> void answer(
      HttpServerRequest request, Supplier<CompletionStage<A>> call, Consumer<A> reply) {
    EngineCalls.answer(loop, request, call, reply);
  }
}
