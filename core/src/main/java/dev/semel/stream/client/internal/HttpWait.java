package dev.semel.stream.client.internal;

import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.client.HttpCalls;
import dev.semel.stream.spi.Streams;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Long-polls for news on a stream, repeatedly. Blocks no thread meanwhile. Wakes once, even if the
 * server does not answer: then the following read reports that.
 */
public final class HttpWait implements Streams.Waiting {
  /** Longer than servers let a request wait; only to notice a dead server. */
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final HttpCalls calls;
  private final HttpRequest request;
  private final Runnable wake;
  private final Runnable ended;
  private final AtomicBoolean over = new AtomicBoolean();

  /**
   * Sends nothing yet.
   *
   * @param ended called once, when nobody waits any more
   */
  public HttpWait(HttpCalls calls, StreamPath path, Offset beyond, Runnable wake, Runnable ended) {
    this.calls = calls;
    this.request =
        calls.stream(path, "?live=long-poll&offset=" + beyond.text())
            .timeout(LONGEST)
            .GET()
            .build();
    this.wake = wake;
    this.ended = ended;
  }

  public void ask() {
    if (over.get()) {
      return;
    }
    CompletableFuture<Boolean> asked =
        calls.sendForHeaders(
            request, reply -> reply.status() != 204 || reply.isTrue("Stream-Closed"));
    CompletableFuture<Boolean> unused =
        asked.whenComplete(
            (news, failure) -> {
              if (failure == null && !news) {
                ask();
              } else if (over.compareAndSet(false, true)) {
                ended.run();
                wake.run();
              }
            });
  }

  /** Wakes nobody; the server ends a request that is still waiting. */
  @Override
  public void cancel() {
    if (over.compareAndSet(false, true)) {
      ended.run();
    }
  }
}
