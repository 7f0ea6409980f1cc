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
 * Asks again and again whether there is something new, each time for as long as the server lets
 * askers wait. No thread waits meanwhile. Wakes once, also when the server can't be asked: then a
 * read has that to say.
 */
public final class HttpWait implements Streams.Waiting {
  /** Longer than servers let anyone wait; only to notice one that is gone without a word. */
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final HttpCalls calls;
  private final HttpRequest request;
  private final Runnable wake;
  private final Runnable ended;
  private final AtomicBoolean over = new AtomicBoolean();

  /**
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

  /** The server answers whoever still asks by itself; nobody is told. */
  @Override
  public void cancel() {
    if (over.compareAndSet(false, true)) {
      ended.run();
    }
  }
}
