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
 * Sends HTTP requests so that each takes effect once, however often it is sent: all tries of one
 * call carry the same key. Safe for use by many threads.
 *
 * <p>Guarantee: against a service that honours {@code Idempotency-Key}, the effect happens at most
 * once per key, and exactly once when the result is {@link ClientResult.Executed} or {@link
 * ClientResult.Replayed}. A crash of this process loses a generated key: to continue after one,
 * store a key beside the work and send with that.
 *
 * <p>A request is repeated only if its body's length is known, as with bytes, text or a file. A
 * request with any other body is sent once, because the first try may use it up.
 */
public final class IdempotentClient {
  private final HttpSender sender;
  private final ClientSettings settings;

  /**
   * Sends with this client.
   *
   * @param client it should not follow redirects; its owner closes it
   */
  public IdempotentClient(HttpClient client, ClientSettings settings) {
    this.sender = new HttpSender(client);
    this.settings = settings;
  }

  /** Sends the request with the key in its header, or with a new key if it has none. */
  public ClientResult send(HttpRequest request) {
    return new ClientCall(sender, settings, request, keyOf(request)).run();
  }

  /**
   * Sends the request with this key, for example a stored one, to continue an earlier call.
   *
   * @throws InvalidInput the request carries another key
   */
  public ClientResult send(HttpRequest request, String key) {
    return send(with(request, key));
  }

  /** Sends without waiting; cancelling the future ends the running try, and the tries. */
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

  /** Checks the key here, where the mistake is, instead of at the server. */
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
