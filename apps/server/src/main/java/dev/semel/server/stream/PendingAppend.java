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

/** An append on its way, and the request that waits for it. Answered once. */
final class PendingAppend implements Streams.Submission, Runnable {
  /** What became of it. */
  private sealed interface AppendEnd {
    /** The engine's word. */
    record Answered(StreamResult.ToAppend answer) implements AppendEnd {}

    /** There is none, and nobody knows whether it is there. */
    record Broken(RuntimeException failure) implements AppendEnd {}
  }

  private final HttpServerRequest request;
  private final StreamPath path;
  private final AppendRequest append;
  private final StreamRoutes routes;
  private final Runnable over;
  private final AtomicReference<@Nullable AppendEnd> end = new AtomicReference<>();
  private final long began = System.nanoTime();

  /** It came before its turn, and has had its moment. */
  private boolean waited;

  private boolean takesLong;

  /**
   * @param over lets go of the body, once it was answered
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

  /** By whatever reason. */
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

  /** It is worked on beside the loop: those that follow it may wait for longer. */
  void takesLong() {
    takesLong = true;
  }

  /** It is about to be handed over once more. */
  void again() {
    end.set(null);
  }

  /** On the connection's loop. */
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

  /** False: the caller is gone. It is there all the same, and a retry will be told so. */
  private boolean settle() {
    routes.appendTimes().record(Duration.ofNanos(System.nanoTime() - began));
    over.run();
    return !request.response().closed();
  }
}
