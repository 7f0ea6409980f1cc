package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.InvalidInput;
import dev.semel.http.HttpHeader;
import dev.semel.http.HttpRefusal;
import dev.semel.junit.Patience;
import dev.semel.proof.fault.ChildJvm;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Controllers that answer from other threads, over real sockets, with a real database. */
@Tag("service")
@ExtendWith(SharedServices.class)
@ResourceLock(SpringPostgresTest.LOGGING)
final class AsyncShopTest {
  private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir Path folder;

  private TestDatabase database;
  private JdbcTemplate jdbc;

  @BeforeEach
  void create(PostgresService postgres) throws SQLException {
    database = postgres.freshDatabase();
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE charge (id bigserial PRIMARY KEY, what text NOT NULL)");
    }
    jdbc = new JdbcTemplate(database.dataSource());
  }

  private String[] properties(String... more) {
    return Stream.concat(
            Stream.of(
                "server.port=0",
                "shop.folder=" + folder,
                "semel.http.enabled=true",
                "semel.policy.lease=2s",
                "spring.datasource.url=" + database.jdbcUrl(),
                "spring.autoconfigure.exclude="
                    + "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration,"
                    + "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration"),
            Stream.of(more))
        .map(property -> "--" + property)
        .toArray(String[]::new);
  }

  private ConfigurableApplicationContext start(String... properties) {
    return new SpringApplicationBuilder(AsyncShop.App.class).run(properties(properties));
  }

  private static URI uri(ConfigurableApplicationContext app) {
    return URI.create("http://localhost:" + app.getEnvironment().getProperty("local.server.port"));
  }

  private static URI uri(ChildJvm child) {
    await().until(() -> !child.alive() || PORT.matcher(child.output()).find());
    Matcher port = PORT.matcher(child.output());
    assertThat(port.find()).as(child.output()).isTrue();
    return URI.create("http://localhost:" + port.group(1));
  }

  private static HttpRequest request(URI server, String path) {
    return HttpRequest.newBuilder(server.resolve(path))
        .header(HttpHeader.KEY, "key-of-" + path.substring(1).replaceAll("\\?.*", ""))
        .timeout(Patience.LIMIT)
        .POST(HttpRequest.BodyPublishers.noBody())
        .build();
  }

  private static HttpResponse<String> post(URI server, String path) throws Exception {
    return CLIENT.send(request(server, path), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpResponse<String> postOnceSettled(URI server, String path) throws Exception {
    HttpResponse<String> answer;
    do {
      answer = post(server, path);
    } while (answer.body().contains(HttpRefusal.IN_FLIGHT.type()));
    return answer;
  }

  private long charges(String what) {
    Long count =
        jdbc.queryForObject("SELECT count(*) FROM charge WHERE what = ?", Long.class, what);
    return count == null ? 0 : count;
  }

  @Test
  void underALeaseWhatWasReallyAnsweredIsKeptAndReplayed() throws Exception {
    try (ConfigurableApplicationContext app = start("shop.async=true")) {
      URI server = uri(app);
      for (String kind : List.of("future", "callable", "deferred", "streaming", "by-hand")) {
        List<HttpResponse<String>> answers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
          answers.add(post(server, "/" + kind));
        }
        assertThat(answers).as(kind).extracting(HttpResponse::statusCode).containsOnly(200);
        assertThat(answers.getFirst().body()).as(kind).startsWith("charged 1");
        assertThat(answers.getLast().body()).as(kind).isEqualTo(answers.getFirst().body());
        assertThat(answers.getLast().headers().firstValue(HttpHeader.REPLAYED)).hasValue("true");
        assertThat(charges(kind)).as(kind).isEqualTo(1);
      }
      // A late failure also counts as a failure: its key is released.
      assertThat(post(server, "/failing?fails=true").statusCode()).isEqualTo(500);
      assertThat(charges("failing")).isEqualTo(1);
    }
  }

  @Test
  void underALeaseWhatWasKilledBeforeItsAnswerIsInDoubtAndNotRepeated() throws Exception {
    Files.createFile(folder.resolve("stop"));
    try (ChildJvm child =
        ChildJvm.start(
            AsyncShop.class, folder.resolve("first.log"), properties("shop.async=true"))) {
      CompletableFuture<HttpResponse<String>> lost =
          CLIENT.sendAsync(request(uri(child), "/future"), HttpResponse.BodyHandlers.ofString());
      await().until(() -> Files.exists(folder.resolve("stopped")));
      child.kill();
      assertThat(lost).failsWithin(Patience.LIMIT);
    }
    Files.delete(folder.resolve("stop"));
    try (ConfigurableApplicationContext again = start("shop.async=true")) {
      HttpResponse<String> retry = postOnceSettled(uri(again), "/future");
      assertThat(retry.statusCode()).isEqualTo(409);
      assertThat(retry.body()).contains(HttpRefusal.IN_DOUBT.type());
    }
    assertThat(charges("future")).isEqualTo(1);
  }

  /** Without an HTTP key: the methods behind the controller have keys. */
  @Test
  void methodsThatWereKilledBeforeTheirResultAreInDoubtAndNotRepeated() throws Exception {
    String off = "semel.http.paths=/unused";
    for (String kind : List.of("stage", "mono")) {
      Files.createFile(folder.resolve("stop"));
      try (ChildJvm child =
          ChildJvm.start(AsyncShop.class, folder.resolve(kind + ".log"), properties(off))) {
        CompletableFuture<HttpResponse<String>> lost =
            CLIENT.sendAsync(
                request(uri(child), "/orders/" + kind), HttpResponse.BodyHandlers.ofString());
        await().until(() -> Files.exists(folder.resolve("stopped")));
        child.kill();
        assertThat(lost).failsWithin(Patience.LIMIT);
      }
      Files.delete(folder.resolve("stopped"));
      Files.delete(folder.resolve("stop"));
    }
    try (ConfigurableApplicationContext again = start(off)) {
      for (String kind : List.of("stage", "mono")) {
        HttpResponse<String> retry =
            await()
                .until(
                    () -> post(uri(again), "/orders/" + kind),
                    answer -> !answer.body().equals("InFlight"));
        assertThat(retry.body()).isEqualTo("InDoubt");
      }
    }
    assertThat(charges("order-1")).isEqualTo(1);
    assertThat(charges("order-2")).isEqualTo(1);
  }

  @Test
  void inTheSameTransactionTheStartIsRefusedWhereATypeSaysIt() {
    assertThatThrownBy(() -> start("shop.async=true", "semel.http.same-transaction=true"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("semel.http.same-transaction")
        .hasMessageContaining("Declared.future")
        .hasMessageContaining("Declared.streaming");
  }

  @Test
  void inTheSameTransactionWhatGoesAsynchronousIsRefusedBeforeItDoes() throws Exception {
    try (ConfigurableApplicationContext app =
        start(
            "semel.http.same-transaction=true",
            "semel.http.paths=/plain,/by-hand,/future-of/guarded")) {
      URI server = uri(app);
      for (int i = 0; i < 2; i++) {
        assertThat(post(server, "/by-hand").statusCode()).isEqualTo(500);
        assertThat(post(server, "/future-of/guarded").statusCode()).isEqualTo(500);
      }
      assertThat(charges("by-hand")).isZero();
      assertThat(charges("guarded")).isZero();
      assertThat(post(server, "/future-of/another").body()).isEqualTo("charged 1");
      assertThat(post(server, "/plain").body()).isEqualTo("charged 1");
      assertThat(post(server, "/plain").body()).isEqualTo("charged 1");
      assertThat(charges("plain")).isEqualTo(1);
    }
  }
}
