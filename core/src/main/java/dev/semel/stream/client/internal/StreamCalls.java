package dev.semel.stream.client.internal;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.net.internal.ServerUrl;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Requests to one stream, at any address, with everything that its client adds. */
public final class StreamCalls {
  /** The protocol's parameters; callers may not set them. */
  private static final Set<String> OURS = Set.of("offset", "live", "cursor");

  private final HttpWire wire;
  private final URI url;
  private final RequestAdditions additions;

  /** Its exception must not repeat the address, which may hold a password. */
  public StreamCalls(HttpWire wire, URI url, RequestAdditions additions) {
    if (!ServerUrl.isHttp(url)) {
      throw new InvalidInput(
          "the stream's address is not valid: write one such as http://127.0.0.1:4437/v1/stream/orders");
    }
    this.wire = wire;
    this.url = url;
    this.additions = additions;
  }

  public URI url() {
    return url;
  }

  /** How long an answer may take. */
  public Duration timeout() {
    return additions.timeout();
  }

  /**
   * A request to be completed. Headers and parameters are read now, so each request has its own.
   *
   * @param query names and values as they stand in an address, without question mark; may be empty
   */
  public HttpRequest.Builder request(String query) {
    String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    String all = query(query);
    URI target =
        URI.create(
            url.getScheme()
                + "://"
                + url.getRawAuthority()
                + path
                + (all.isEmpty() ? "" : "?" + all));
    HttpRequest.Builder builder = HttpRequest.newBuilder(target).timeout(timeout());
    ServerUrl.authorize(builder, additions.token());
    additions.headers().get().forEach((name, value) -> header(builder, name, value));
    return builder;
  }

  /** Sorts the parameters, so that caches see one address for the same request. */
  private String query(String query) {
    String own = url.getRawQuery() == null ? "" : url.getRawQuery();
    Map<String, String> params = additions.params().get();
    params.keySet().stream()
        .filter(OURS::contains)
        .findFirst()
        .ifPresent(
            name -> {
              throw new InvalidInput(
                  "the parameter %s belongs to the protocol: leave it out".formatted(name));
            });
    Stream<String> added =
        params.entrySet().stream()
            .map(each -> ServerUrl.encode(each.getKey()) + '=' + ServerUrl.encode(each.getValue()));
    return Stream.concat(
            Stream.of(own, query).flatMap(text -> Arrays.stream(text.split("&", -1))), added)
        .filter(each -> !each.isEmpty())
        .sorted()
        .collect(Collectors.joining("&"));
  }

  /** Its exception must not repeat the value, which may be secret. */
  private static void header(HttpRequest.Builder builder, String name, String value) {
    try {
      if (!value.chars().allMatch(c -> c >= ' ' && c <= '~')) {
        throw new IllegalArgumentException("beyond ASCII");
      }
      builder.setHeader(name, value);
    } catch (IllegalArgumentException e) {
      throw new InvalidInput(
          "the header %s can't be sent: its name is not valid or reserved, or its value holds more than ASCII"
              .formatted(PrintableText.quoted(name)));
    }
  }

  /**
   * Completes with any status. Fails with {@link NotSent} if the request surely never reached the
   * server, with {@link AnswerLost} if that is unknown.
   */
  public CompletableFuture<HttpReply> send(HttpRequest request) {
    return wire.send(request);
  }

  /** Completes when the headers have arrived; fails as the JDK's client does. */
  public <B> CompletableFuture<HttpResponse<B>> open(HttpRequest request, BodyHandler<B> body) {
    return wire.open(request, body);
  }

  /**
   * Sends and waits. An interrupted caller does not know whether the request took effect, and stays
   * interrupted.
   */
  public HttpReply ask(HttpRequest request) {
    CompletableFuture<HttpReply> answer = send(request);
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw HttpWire.failed(request, e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new AnswerLost(
          "interrupted while %s was asked: whether the call took effect is unknown"
              .formatted(ServerUrl.text(url)),
          e);
    }
  }
}
