package dev.semel.admin.remote;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.admin.EditConflict;
import dev.semel.admin.document.internal.MemberReader;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.net.internal.HttpSender;
import dev.semel.net.internal.LimitedBody;
import dev.semel.net.internal.ServerUrl;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;

/** Sends requests to one server's admin API. Sends nothing twice. Safe for use by many threads. */
final class AdminApiClient implements AutoCloseable {
  /** Includes the TLS handshake, which takes seconds on a busy machine with a cold JVM. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);

  /** Some actions read everything in a store before they answer. */
  private static final Duration TIMEOUT = Duration.ofMinutes(30);

  private final HttpSender http;
  private final String server;
  private final String token;

  /** The server does not have what was asked for; the message says what. */
  static final class NotThere extends StoreException {
    private static final long serialVersionUID = 1L;

    NotThere(String message) {
      super(message);
    }
  }

  /**
   * Sends nothing yet.
   *
   * @param trust decides which certificates are trusted; empty: those that the JVM trusts
   */
  AdminApiClient(URI server, String token, Optional<SSLContext> trust) {
    this.server = ServerUrl.root(server).toString();
    this.token = ServerUrl.token(token);
    this.http = HttpSender.open(CONNECT_TIMEOUT, trust);
  }

  /** The call's answer; empty: the server does not have it. */
  static <T> Optional<T> found(Supplier<T> call) {
    try {
      return Optional.of(call.get());
    } catch (NotThere e) {
      return Optional.empty();
    }
  }

  /** The server's answer to the action. */
  JsonValue ask(AdminQuery query) {
    return send(query.action().method(), query, query.body());
  }

  private JsonValue send(String method, AdminQuery query, Optional<JsonObject> body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server + query)).timeout(TIMEOUT);
    ServerUrl.authorize(request, token);
    body.ifPresent(there -> request.header("Content-Type", "application/json"));
    request.method(
        method,
        body.map(Json::write)
            .map(HttpRequest.BodyPublishers::ofString)
            .orElseGet(HttpRequest.BodyPublishers::noBody));
    try {
      HttpResponse<byte[]> answer = http.ask(request.build(), TIMEOUT, Json.MAX_LENGTH);
      return understood(answer.statusCode(), answer.body());
    } catch (SSLHandshakeException e) {
      throw new StoreException(
          "the server at %s did not prove by its certificate that it is the one, so nothing was sent to it: trust its authority, or correct the address"
              .formatted(server),
          e);
    } catch (InterruptedIOException e) {
      throw new StoreException("interrupted while the server at %s was asked".formatted(server), e);
    } catch (IOException e) {
      if (LimitedBody.isTooLarge(e)) {
        throw strange("with more than %d bytes".formatted(Json.MAX_LENGTH));
      }
      throw new StoreException(
          "the server at %s can't be reached, or did not answer: is it running?".formatted(server),
          e);
    }
  }

  private JsonValue understood(int status, byte[] body) {
    if (status == 200) {
      return document(status, body);
    }
    String detail = detail(status, body);
    throw switch (status) {
      case 400 -> new InvalidInput(detail);
      case 404 -> new NotThere(detail);
      case 409 -> new EditConflict(detail);
      case 401, 403, 405 ->
          new StoreException("the server at %s does not allow this: %s".formatted(server, detail));
      default -> new StoreException("the server at %s: %s".formatted(server, detail));
    };
  }

  private JsonValue document(int status, byte[] body) {
    try {
      return Json.parse(body);
    } catch (InvalidInput e) {
      throw strange("%d with something that is not of its API".formatted(status));
    }
  }

  private String detail(int status, byte[] body) {
    try {
      return PrintableText.safe(MemberReader.of(Json.parse(body)).text("detail"));
    } catch (InvalidInput e) {
      throw strange("%d with something that is not of its API".formatted(status));
    }
  }

  private StoreException strange(String how) {
    return new StoreException(
        "the server at %s answered %s: is it a Semel server of this version?"
            .formatted(server, how));
  }

  String server() {
    return server;
  }

  /** Requests without an answer fail. */
  @Override
  public void close() {
    http.close();
  }
}
