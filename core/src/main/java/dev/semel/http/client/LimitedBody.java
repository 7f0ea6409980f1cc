package dev.semel.http.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Reads a body as a whole, unless it is larger than it may be. */
final class LimitedBody implements BodySubscriber<byte[]> {
  /** It was answered, but with more than this client takes. */
  static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1L;

    TooLarge(int limit) {
      super(
          "the answer is larger than %d bytes: raise maxResponseBytes, or ask for less"
              .formatted(limit));
    }
  }

  /** The client wraps what it does not know. */
  static boolean isTooLarge(Throwable failure) {
    return failure instanceof TooLarge || failure.getCause() instanceof TooLarge;
  }

  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final int limit;
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
      if (buffer.remaining() > limit - bytes.size()) {
        body.completeExceptionally(new TooLarge(limit));
        if (subscription != null) {
          subscription.cancel();
        }
        return;
      }
      byte[] piece = new byte[buffer.remaining()];
      buffer.get(piece);
      bytes.writeBytes(piece);
    }
  }

  @Override
  public void onError(Throwable failure) {
    body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    body.complete(bytes.toByteArray());
  }
}
