package dev.semel.http.client;

import dev.semel.InvalidInput;
import dev.semel.internal.Ids;
import dev.semel.loop.internal.Loop;
import dev.semel.net.internal.HttpSender;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Sends requests so that each takes effect once, however often it has to be sent: all tries of one
 * call carry the same key. Safe for use by many threads.
 *
 * <p>Guarantee: against a service that keeps {@code Idempotency-Key}, the effect happens at most
 * once per key, and once when the result is {@link ClientResult.Executed} or {@link
 * ClientResult.Replayed}. A crash of this process leaves nothing behind: whoever wants to go on
 * after one gives a key of its own, kept beside what is to be done.
 *
 * <p>A request is sent again only if its body can be: one whose publisher knows its length, as of
 * bytes, text or a file. Any other may be used up by the first try, so that it is sent once.
 */
public final class IdempotentClient {
  private final HttpSender sender;
  private final ClientSettings settings;

  /**
   * @param client as the caller likes it; it should not follow redirects by itself, nor is it
   *     closed
   */
  public IdempotentClient(HttpClient client, ClientSettings settings) {
    this.sender = new HttpSender(client);
    this.settings = settings;
  }

  /** Sends it with the key in its header, or with a new one where it has none. */
  public ClientResult send(HttpRequest request) {
    return new ClientCall(sender, settings, request, keyOf(request)).run();
  }

  /**
   * Sends it with this key: one that was kept, to go on with what an earlier call began.
   *
   * @throws InvalidInput the request carries another key
   */
  public ClientResult send(HttpRequest request, String key) {
    return send(with(request, key));
  }

  /** The same without waiting; cancelling it ends the try that is under way, and the tries. */
  public CompletableFuture<ClientResult> sendLater(HttpRequest request) {
    ClientCall sending = new ClientCall(sender, settings, request, keyOf(request));
    CompletableFuture<ClientResult> sent = new CompletableFuture<>();
    Loop.beside(
        "semel-http-client",
        () -> {
          Thread me = Thread.currentThread();
          CompletableFuture<ClientResult> unused =
              sent.whenComplete(
                  (result, failure) -> {
                    if (sent.isCancelled()) {
                      me.interrupt();
                    }
                  });
          try {
            sent.complete(sending.run());
          } catch (RuntimeException | Error e) {
            sent.completeExceptionally(e);
          }
        });
    return sent;
  }

  public CompletableFuture<ClientResult> sendLater(HttpRequest request, String key) {
    return sendLater(with(request, key));
  }

  private HttpRequest with(HttpRequest request, String key) {
    String name = settings.header().name();
    List<String> lines = request.headers().allValues(name);
    if (!lines.isEmpty() && !keyOf(request).equals(key)) {
      throw new InvalidInput(
          "the request carries another %s than the one given: leave one of them out"
              .formatted(name));
    }
    return HttpRequest.newBuilder(request, (n, v) -> true)
        .setHeader(name, settings.header().syntax().write(key))
        .build();
  }

  /** Checked here, where the mistake is, and not by the server. */
  private String keyOf(HttpRequest request) {
    List<String> lines = request.headers().allValues(settings.header().name());
    if (lines.size() > 1) {
      throw new InvalidInput(
          "the request carries %d keys: leave all but one out".formatted(lines.size()));
    }
    return lines.isEmpty()
        ? Ids.uuid7().toString()
        : settings.header().syntax().parse(lines.get(0));
  }
}
