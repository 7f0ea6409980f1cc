package dev.semel.server.stream;

import dev.semel.StoreException;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.AppendSender;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An append under way, and the request that waits for it. Answered once. */
final class PendingAppend implements Streams.Submission, Runnable {
  /** Result of the append. */
  private sealed interface AppendEnd {
    /** The engine answered. */
    record Answered(StreamResult.ToAppend answer) implements AppendEnd {}

    /** The engine did not answer, so nobody knows whether the append took effect. */
    record Broken(RuntimeException failure) implements AppendEnd {}
  }

  private final HttpServerRequest request;
  private final StreamPath path;
  private final AppendRequest append;
  private final StreamRoutes routes;
  private final Runnable over;
  private final AtomicReference<@Nullable AppendEnd> end = new AtomicReference<>();
  private final long began = System.nanoTime();

  /** Whether it came before its turn, and has waited its moment. */
  private boolean waited;

  private boolean takesLong;

  /**
   * @param over releases the body after the answer
   */
  PendingAppend(
      HttpServerRequest request,
      StreamPath path,
      AppendRequest append,
      StreamRoutes routes,
      Runnable over) {
    this.over = over;
    this.request = request;
    this.path = path;
    this.append = append;
    this.routes = routes;
  }

  @Override
  public StreamPath path() {
    return path;
  }

  @Override
  public AppendRequest request() {
    return append;
  }

  @Override
  public void answered(StreamResult.ToAppend answer) {
    ended(new AppendEnd.Answered(answer));
  }

  @Override
  public void failed(StoreException cause) {
    broken(cause);
  }

  /** Fails it, for any reason. */
  void broken(RuntimeException failure) {
    ended(new AppendEnd.Broken(failure));
  }

  private void ended(AppendEnd how) {
    if (end.compareAndSet(null, how)) {
      routes.loop().run(this);
    }
  }

  boolean waited() {
    return waited;
  }

  void waitsNoMore() {
    waited = true;
  }

  /** It is processed beside the event loop: appends that follow it may wait longer. */
  void takesLong() {
    takesLong = true;
  }

  /** Prepares it to be submitted again. */
  void again() {
    end.set(null);
  }

  /** Runs on the connection's event loop. */
  @Override
  public void run() {
    if (takesLong) {
      takesLong = false;
      routes.early().ends(path, append.sender());
    }
    switch (Objects.requireNonNull(end.get())) {
      case AppendEnd.Answered a -> reply(a.answer());
      case AppendEnd.Broken b -> {
        if (settle()) {
          CallFailures.send(request, b.failure());
        }
      }
    }
  }

  private void reply(StreamResult.ToAppend answer) {
    if (append.sender() instanceof AppendSender.Declared d) {
      String id = d.tuple().id();
      if (answer instanceof StreamResult.Gap g
          && routes.early().hold(this, id, g.received(), g.expected())) {
        return;
      }
      if (answer instanceof StreamResult.Appended || answer instanceof StreamResult.Duplicate) {
        routes.early().arrived(path, id);
      }
    }
    boolean listens = settle();
    if (answer instanceof StreamResult.Appended a) {
      routes.watcher().appended(path, a.next());
    }
    if (listens) {
      boolean managed = append.sender() instanceof AppendSender.Managed;
      AppendReply.send(request, answer, managed, append.ifMatch().isPresent());
    }
  }

  /** False: the caller is gone. What was appended stays, and a retry is answered as a duplicate. */
  private boolean settle() {
    routes.appendTimes().record(Duration.ofNanos(System.nanoTime() - began));
    over.run();
    return !request.response().closed();
  }
}
