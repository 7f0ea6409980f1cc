package dev.semel.example.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Outcome;
import dev.semel.jdbc.TransactionalIdempotency;
import dev.semel.json.Json;
import dev.semel.json.JsonPointer;
import dev.semel.json.JsonValue;
import dev.semel.webhook.WebhookSender;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Receives webhooks. An event's changes and the record of its id commit together, so a sender that
 * never got our answer may repeat it: the answer is 200 again, and nothing else happens.
 */
final class Receiver implements AutoCloseable {
  private static final int MAX_BODY_BYTES = 1 << 20;
  private static final JsonPointer ID = JsonPointer.parse("/id");

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Signature signature;
  private final TransactionalIdempotency transactional;
  private final Alerts alerts;

  private Receiver(
      HttpServer server,
      Signature signature,
      TransactionalIdempotency transactional,
      Alerts alerts) {
    this.server = server;
    this.signature = signature;
    this.transactional = transactional;
    this.alerts = alerts;
  }

  /** Starts the receiver, which listens when this returns; port 0 means any free one. */
  static Receiver start(
      int port, Signature signature, TransactionalIdempotency transactional, Alerts alerts)
      throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    Receiver receiver = new Receiver(server, signature, transactional, alerts);
    server.setExecutor(receiver.threads);
    server.createContext("/hook", receiver::receive);
    server.start();
    return receiver;
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      String signed = exchange.getRequestHeaders().getFirst(WebhookSender.SIGNATURE);
      byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
      exchange.sendResponseHeaders(answer(signed == null ? "" : signed, body), -1);
    }
  }

  /** The status for an event. The sender repeats it after 5xx, and stops after any other. */
  private int answer(String signed, byte[] body) {
    if (body.length > MAX_BODY_BYTES) {
      return 413;
    }
    if (!signature.proves(signed, body, Instant.now())) {
      return 401;
    }
    try {
      JsonValue event = Json.parse(body);
      return switch (handle(event, Fingerprint.of(body))) {
        case Outcome.Executed<String> e -> 200;
        case Outcome.Replayed<String> r -> 200;
        case Outcome.InFlight<String> f -> 503;
        case Outcome.Mismatch<String> m -> 422;
        case Outcome.Failed<String> f -> 422;
        case Outcome.InDoubt<String> d -> 500; // never: the id commits with the event's changes
      };
    } catch (InvalidInput e) {
      return 400;
    } catch (StoreException | SQLException e) {
      return 503;
    }
  }

  private Outcome<String> handle(JsonValue event, Fingerprint fingerprint) throws SQLException {
    // The id from the signed body: anyone in between could change a header.
    Key key = Key.of("webhook", Alerts.text(event, ID));
    return transactional.execute(
        ExecutionRequest.of(key, Codec.utf8()).withFingerprint(fingerprint),
        (connection, execution) -> alerts.note(connection, event));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
