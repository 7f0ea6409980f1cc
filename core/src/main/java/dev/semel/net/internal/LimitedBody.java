package dev.semel.net.internal;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Reads a whole body, up to a limit. */
public final class LimitedBody implements BodySubscriber<byte[]> {
  /** Thrown when the answer is larger than this client accepts. */
  public static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1L;

    TooLarge(int limit) {
      super("the answer is larger than %d bytes".formatted(limit));
    }
  }

  /** Whether it is that failure; the client may have wrapped it. */
  public static boolean isTooLarge(Throwable failure) {
    return failure instanceof TooLarge || failure.getCause() instanceof TooLarge;
  }

  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private final List<ByteBuffer> pieces = new ArrayList<>();
  private final int limit;
  private int length;
  private Flow.@Nullable Subscription subscription;

  LimitedBody(int limit) {
    this.limit = limit;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      if (body.isDone()) {
        return;
      }
      if (buffer.remaining() > limit - length) {
        body.completeExceptionally(new TooLarge(limit));
        pieces.clear();
        if (subscription != null) {
          subscription.cancel();
        }
        return;
      }
      length += buffer.remaining();
      pieces.add(buffer);
    }
  }

  @Override
  public void onError(Throwable failure) {
    body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    byte[] all = new byte[length];
    int at = 0;
    for (ByteBuffer piece : pieces) {
      int size = piece.remaining();
      piece.get(all, at, size);
      at += size;
    }
    body.complete(all);
  }
}
