package dev.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.event.SemelListener;
import dev.semel.http.HttpIdempotency;
import dev.semel.http.HttpRefusal;
import dev.semel.http.HttpRules;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Maintenance;
import dev.semel.jdbc.SqliteStore;
import dev.semel.jdbc.TransactionalIdempotency;
import dev.semel.junit.Patience;
import dev.semel.proof.fault.ChildJvm;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a server between the charge and its record. */
@Tag("service")
final class KilledServerTest {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Patience.LIMIT;

  @TempDir Path folder;

  /** The child: a shop whose handler charges, and then blocks while a file exists. */
  static final class Server {
    private Server() {}

    public static void main(String[] arguments) throws Exception {
      Path folder = Path.of(arguments[1]);
      SqliteStore store = SqliteStore.open(folder.resolve("semel.db"), InstantSource.system());
      HttpRules rules =
          HttpRules.of("charge").withPolicy(ExecutionPolicy.defaults().withLease(LEASE));
      boolean transactional = arguments[0].equals("transaction");
      HttpIdempotency http =
          transactional
              ? new HttpIdempotency(
                  TransactionalIdempotency.on(store, Maintenance.start(store, SemelListener.NONE))
                      .asOnce(),
                  rules)
              : new HttpIdempotency(new Idempotency(store, SemelListener.NONE), rules);
      Shop.Handler handler =
          (request, response) -> {
            Execution execution = IdempotencyFilter.execution(request).orElseThrow();
            if (transactional) {
              charge(TransactionalIdempotency.connection(execution));
            } else {
              Files.writeString(
                  folder.resolve("charges"),
                  "one\n",
                  StandardOpenOption.CREATE,
                  StandardOpenOption.APPEND);
            }
            if (Files.exists(folder.resolve("stop"))) {
              Files.createFile(folder.resolve("stopped"));
              while (true) {
                Thread.onSpinWait(); // the parent kills this process here
              }
            }
            response.setStatus(201);
            response.getOutputStream().print("charged");
          };
      Jetty jetty =
          new Jetty()
              .filter(new IdempotencyFilter(http))
              .servlet("/*", Shop.servlet(handler))
              .start();
      Path port = folder.resolve("port.new");
      Files.writeString(port, jetty.uri().toString());
      Files.move(port, folder.resolve("port"));
      System.in.readAllBytes(); // ends with the parent
      System.exit(0);
    }

    private static void charge(Connection connection) throws ServletException {
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO charge (what) VALUES ('one')")) {
        insert.executeUpdate();
      } catch (SQLException e) {
        throw new ServletException(e);
      }
    }
  }

  private Connection database() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("semel.db"));
  }

  private URI awaitPort() throws IOException {
    Path port = folder.resolve("port");
    Awaitility.await().until(() -> Files.exists(port));
    String uri = Files.readString(port);
    Files.delete(port);
    return URI.create(uri);
  }

  private static HttpRequest charge(URI server) {
    return HttpRequest.newBuilder(server.resolve("/charge"))
        .header("Idempotency-Key", "k-1")
        .timeout(PATIENCE)
        .POST(BodyPublishers.ofString("{\"amount\":10}"))
        .build();
  }

  /** Kills the server in the middle, restarts it, and retries. */
  private HttpResponse<String> retryAfterKill(String mode) throws Exception {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    Files.createFile(folder.resolve("stop"));
    try (ChildJvm child =
        ChildJvm.start(Server.class, folder.resolve("log"), mode, folder.toString())) {
      URI first = awaitPort();
      var lost = client.sendAsync(charge(first), BodyHandlers.ofString());
      Awaitility.await().until(() -> Files.exists(folder.resolve("stopped")));
      Files.delete(folder.resolve("stop"));
      child.restart();
      assertThat(lost).failsWithin(PATIENCE);
      URI second = awaitPort();
      HttpResponse<String> answer;
      do {
        answer = client.send(charge(second), BodyHandlers.ofString());
      } while (answer.body().contains(HttpRefusal.IN_FLIGHT.type()));
      HttpResponse<String> again = client.send(charge(second), BodyHandlers.ofString());
      assertThat(again.statusCode()).isEqualTo(answer.statusCode());
      assertThat(again.body()).isEqualTo(answer.body());
      return answer;
    }
  }

  @Test
  void underALeaseTheRetryIsToldThatItIsInDoubt() throws Exception {
    HttpResponse<String> answer = retryAfterKill("lease");
    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(answer.body()).contains(HttpRefusal.IN_DOUBT.type());
    assertThat(answer.headers().firstValue("Retry-After")).isEmpty();
    assertThat(Files.readAllLines(folder.resolve("charges"))).hasSize(1);
  }

  @Test
  void inTheSameTransactionTheRetryRunsAndItsChargeIsTheOnlyOne() throws Exception {
    try (Connection connection = database()) {
      connection.createStatement().execute("CREATE TABLE charge (what text NOT NULL)");
    }
    HttpResponse<String> answer = retryAfterKill("transaction");
    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(answer.body()).isEqualTo("charged");
    try (Connection connection = database();
        ResultSet count =
            connection.createStatement().executeQuery("SELECT count(*) FROM charge")) {
      count.next();
      assertThat(count.getInt(1)).isEqualTo(1);
    }
  }
}
