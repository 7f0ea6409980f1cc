package dev.semel.admin.remote;

import dev.semel.InvalidInput;
import dev.semel.PrintableText;
import dev.semel.StoreException;
import dev.semel.admin.EditConflict;
import dev.semel.admin.document.MemberReader;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;

/** Requests to one server's admin API. Nothing is sent twice. Safe for many threads. */
final class AdminApiClient implements AutoCloseable {
  /** Includes the TLS handshake, which takes a busy machine seconds when its JVM is cold. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);

  /** Some work through everything that a store holds before they answer. */
  private static final Duration TIMEOUT = Duration.ofMinutes(30);

  private final HttpClient client;
  private final String server;
  private final String token;

  /** There is no such thing; the message says what. */
  static final class NotThere extends StoreException {
    private static final long serialVersionUID = 1L;

    NotThere(String message) {
      super(message);
    }
  }

  /**
   * @param trust which certificates are believed; empty: those that the JVM trusts
   */
  AdminApiClient(URI server, String token, Optional<SSLContext> trust) {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT);
    trust.ifPresent(builder::sslContext);
    this.client = builder.build();
    this.server = checked(server);
    this.token = token;
    for (int i = 0; i < token.length(); i++) {
      if (token.charAt(i) <= ' ' || token.charAt(i) > '~') {
        throw new InvalidInput(
            "the token for the server holds characters that a header can't: check where it is set");
      }
    }
  }

  /** Its message must not repeat the address: it may hold a password. */
  private static String checked(URI server) {
    boolean http = "http".equals(server.getScheme()) || "https".equals(server.getScheme());
    boolean bare = server.getRawPath() == null || server.getRawPath().matches("/?");
    if (!http || server.getHost() == null || server.getRawUserInfo() != null || !bare) {
      throw new InvalidInput(
          "the server's address is not valid: write scheme, host and port alone, such as http://127.0.0.1:4437");
    }
    return server.getScheme() + "://" + server.getRawAuthority();
  }

  /** What the call answers; empty: there is no such thing. */
  static <T> Optional<T> found(Supplier<T> call) {
    try {
      return Optional.of(call.get());
    } catch (NotThere e) {
      return Optional.empty();
    }
  }

  /** What the server answers. */
  JsonValue ask(AdminQuery query) {
    return send(query.action().method(), query, query.body());
  }

  private JsonValue send(String method, AdminQuery query, Optional<JsonObject> body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server + query)).timeout(TIMEOUT);
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    body.ifPresent(there -> request.header("Content-Type", "application/json"));
    request.method(
        method,
        body.map(Json::write)
            .map(HttpRequest.BodyPublishers::ofString)
            .orElseGet(HttpRequest.BodyPublishers::noBody));
    try {
      HttpResponse<InputStream> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream in = response.body()) {
        return understood(response.statusCode(), in.readNBytes(Json.MAX_LENGTH + 1));
      }
    } catch (SSLHandshakeException e) {
      throw new StoreException(
          "the server at %s did not prove by its certificate that it is the one, so nothing was sent to it: trust its authority, or correct the address"
              .formatted(server),
          e);
    } catch (IOException e) {
      throw new StoreException(
          "the server at %s can't be reached, or did not answer: is it running?".formatted(server),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while the server at %s was asked".formatted(server), e);
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
      throw strange(status);
    }
  }

  private String detail(int status, byte[] body) {
    try {
      return PrintableText.safe(MemberReader.of(Json.parse(body)).text("detail"));
    } catch (InvalidInput e) {
      throw strange(status);
    }
  }

  private StoreException strange(int status) {
    return new StoreException(
        "the server at %s answered %d with something that is not of its API: is it a Semel server of this version?"
            .formatted(server, status));
  }

  String server() {
    return server;
  }

  @Override
  public void close() {
    client.close();
  }
}
