package dev.semel.example.webhook;

import dev.semel.alert.Alert;
import dev.semel.alert.AlertRule;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Idempotency;
import dev.semel.jdbc.SqliteStore;
import dev.semel.jdbc.TransactionalIdempotency;
import dev.semel.loop.Platform;
import dev.semel.webhook.Webhook;
import dev.semel.webhook.WebhookSender;
import dev.semel.webhook.WebhookSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;

/** Runs a receiver, and Semel's own sender of alerts, over a connection that loses answers. */
public final class WebhookReceiver {
  private static final String SECRET = "an example's secret";

  private WebhookReceiver() {}

  public static void main(String[] arguments) throws Exception {
    Path file = Files.createTempDirectory("semel-webhook-receiver").resolve("alerts.db");
    WebhookSettings impatient =
        WebhookSettings.defaults().withPauses(Duration.ofMillis(100), Duration.ofSeconds(1));
    try (SqliteStore store = SqliteStore.open(file, InstantSource.system());
        Idempotency idempotency = new Idempotency(store, SemelListener.NONE);
        TransactionalIdempotency transactional =
            TransactionalIdempotency.on(store, idempotency.maintenance());
        Receiver receiver = Receiver.start(0, new Signature(SECRET), transactional, new Alerts());
        LossyLine line = LossyLine.before(receiver.address());
        WebhookSender sender =
            WebhookSender.start(
                Platform.REAL, Webhook.to(line.address()).signedWith(SECRET), impatient)) {
      for (Alert.State state : new Alert.State[] {Alert.State.FIRING, Alert.State.RESOLVED}) {
        say("An alert is " + state.name().toLowerCase(Locale.ROOT) + ".");
        sender.tell(alert(state));
        say("  line:     " + line.next());
        say("  line:     " + line.next());
      }
      say("Somebody without the secret sends one.");
      say("  answered " + forged(receiver.address()));
    }
    say("The receiver has %d rows, in %s".formatted(rows(file), file));
  }

  private static Alert alert(Alert.State state) {
    Instant began = Instant.parse("2026-11-17T10:15:20Z");
    return new Alert(
        AlertRule.OUTBOX_LAG, "orders", state, began, began, 312, 300, "orders wait for 312 s");
  }

  private static int forged(String address) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(address))
              .header(WebhookSender.SIGNATURE, "t=1770113720,hmac-sha256=" + "0".repeat(64))
              .POST(HttpRequest.BodyPublishers.ofString("{\"id\":\"forged\"}"))
              .build();
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
  }

  private static long rows(Path file) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        ResultSet counted = statement.executeQuery("SELECT count(*) FROM alerts")) {
      return counted.getLong(1);
    }
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
