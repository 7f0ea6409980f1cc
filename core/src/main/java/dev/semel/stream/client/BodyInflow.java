package dev.semel.stream.client;

import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A response body that one thread takes piece by piece, with a time limit. The next piece is
 * requested when one is taken, so a slow reader slows its server down instead of filling memory.
 */
final class BodyInflow implements BodySubscriber<BodyInflow> {
  /** What arrived. After an end or a failure nothing follows. */
  sealed interface Piece {
    record Data(List<ByteBuffer> buffers) implements Piece {}

    record End() implements Piece {}

    record Broken(Throwable why) implements Piece {}
  }

  /** Holds at most one requested piece and an end, so it needs no limit. */
  private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();

  private final AtomicReference<@Nullable Subscription> subscription = new AtomicReference<>();

  @Override
  public CompletionStage<BodyInflow> getBody() {
    return CompletableFuture.completedFuture(this);
  }

  @Override
  public void onSubscribe(Subscription given) {
    if (subscription.compareAndSet(null, given)) {
      given.request(1);
    } else {
      given.cancel();
    }
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    pieces.add(new Piece.Data(buffers));
  }

  @Override
  public void onError(Throwable why) {
    pieces.add(new Piece.Broken(why));
  }

  @Override
  public void onComplete() {
    pieces.add(new Piece.End());
  }

  /**
   * Waits for the next piece.
   *
   * @param silence how long the connection may be silent before it counts as broken
   */
  Piece take(Duration silence) throws InterruptedException {
    Piece next = pieces.poll(silence.toNanos(), TimeUnit.NANOSECONDS);
    if (next == null) {
      return new Piece.Broken(new HttpTimeoutException("nothing came for " + silence));
    }
    Subscription source = subscription.get();
    if (next instanceof Piece.Data && source != null) {
      source.request(1);
    }
    return next;
  }

  /** Gives the connection up, and wakes a waiting thread. */
  void abort() {
    Subscription source = subscription.get();
    if (source != null) {
      source.cancel();
    }
    pieces.add(new Piece.Broken(new java.io.IOException("given up")));
  }
}
