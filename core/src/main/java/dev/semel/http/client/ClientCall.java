package dev.semel.http.client;

import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import dev.semel.net.internal.HttpSender;
import dev.semel.net.internal.LimitedBody;
import dev.semel.net.internal.RetryAfter;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One call: its tries and the pauses between them. For one thread. */
final class ClientCall {
  private final HttpSender sender;
  private final ClientSettings settings;
  private final HttpRequest request;
  private final String key;
  private final Platform platform = Platform.REAL;
  private final Backoff backoff;
  private final int maxTries;
  private final long deadline;
  private int tries;
  private @Nullable HttpResponse<byte[]> last;
  private @Nullable Exception cause;

  ClientCall(HttpSender sender, ClientSettings settings, HttpRequest request, String key) {
    this.sender = sender;
    this.settings = settings;
    this.key = key;
    this.request =
        HttpRequest.newBuilder(request, (n, v) -> true)
            .setHeader(settings.header().name(), settings.header().syntax().write(key))
            .build();
    this.backoff = new Backoff(settings.firstPause(), settings.longestPause());
    this.maxTries = repeatable(request) ? settings.maxTries() : 1;
    this.deadline = platform.nanos() + settings.deadline().toNanos();
  }

  /** A body of unknown length may be a stream that the first try used up. */
  private static boolean repeatable(HttpRequest request) {
    return request.bodyPublisher().map(body -> body.contentLength() >= 0).orElse(true);
  }

  ClientResult run() {
    while (true) {
      Duration atLeast = Duration.ZERO;
      tries++;
      try {
        HttpResponse<byte[]> answer = once();
        Optional<ClientResult> ended = ended(answer);
        if (ended.isPresent()) {
          return ended.get();
        }
        last = answer;
        cause = null;
        atLeast = RetryAfter.of(answer.headers(), platform.clock().instant());
      } catch (IOException e) {
        last = null;
        cause = e;
        if (Thread.currentThread().isInterrupted()) {
          return gaveUp("it was interrupted");
        }
        if (LimitedBody.isTooLarge(e)) {
          return gaveUp(
              "it was answered, but with more than maxResponseBytes: raise that, or ask for less");
        }
      }
      if (tries >= maxTries) {
        return gaveUp(
            maxTries < settings.maxTries()
                ? "its body can't be sent again: give one of known length, such as bytes or a file"
                : "%d tries were not enough".formatted(tries));
      }
      if (!rest(atLeast)) {
        return gaveUp(
            Thread.currentThread().isInterrupted()
                ? "it was interrupted"
                : "no answer that counts within %s, after %d tries"
                    .formatted(settings.deadline(), tries));
      }
    }
  }

  private HttpResponse<byte[]> once() throws IOException {
    Duration left = Duration.ofNanos(Math.max(1, deadline - platform.nanos()));
    Duration asked = request.timeout().orElse(settings.tryTimeout());
    Duration limit = asked.compareTo(left) < 0 ? asked : left;
    HttpRequest now = HttpRequest.newBuilder(request, (n, v) -> true).timeout(limit).build();
    return sender.ask(now, limit, settings.maxResponseBytes());
  }

  private Optional<ClientResult> ended(HttpResponse<byte[]> answer) {
    return switch (AnswerReading.verdict(answer)) {
      case EXECUTED -> Optional.of(new ClientResult.Executed(key, tries, answer));
      case REPLAYED -> Optional.of(new ClientResult.Replayed(key, tries, answer));
      case IN_DOUBT -> Optional.of(new ClientResult.InDoubt(key, tries, answer));
      case REFUSED ->
          Optional.of(new ClientResult.Refused(key, tries, answer, AnswerReading.refusal(answer)));
      case AGAIN -> Optional.empty();
    };
  }

  /**
   * Pauses for as long as the server asks, plus our own pause, so that clients that were sent away
   * together do not come back together.
   *
   * @return false, at once, when there is no time left for another try
   */
  private boolean rest(Duration atLeast) {
    Duration asked =
        atLeast.compareTo(settings.longestRetryAfter()) > 0
            ? settings.longestRetryAfter()
            : atLeast;
    long until = platform.nanos() + asked.toNanos() + backoff.nextNanos();
    if (until - deadline >= 0) {
      return false;
    }
    for (long left = until - platform.nanos(); left > 0; left = until - platform.nanos()) {
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
      platform.park(this, left);
    }
    return true;
  }

  private ClientResult gaveUp(String reason) {
    return new ClientResult.GaveUp(
        key, tries, Optional.ofNullable(last), Optional.ofNullable(cause), reason);
  }
}
