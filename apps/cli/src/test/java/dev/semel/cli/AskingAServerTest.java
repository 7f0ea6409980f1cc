package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.admin.AdminTargets;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcJobs;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.SqliteStore;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.Job;
import dev.semel.job.spi.JobQueue;
import dev.semel.server.AccessRules;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.stream.MemoryStreams;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commands with SEMEL_URL: a server has the database, and they print the same as on the database
 * itself.
 */
class AskingAServerTest {
  private static final String TOKEN = "operators-token-0123456789";

  @TempDir Path folder;
  private SqliteStore store;
  private JobQueue jobs;
  private JdbcOutbox outbox;
  private JdbcInbox inbox;
  private SemelServer server;
  private Cli here;
  private Cli there;

  @BeforeEach
  void start() throws Exception {
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.order("dead").bury("there is no such subject").order("waits");
      shop.handle("ledger", "new").keep("stock", "first").reject("stock");
    }
    store = SqliteStore.open(folder.resolve("shop.db"), InstantSource.system());
    jobs = JdbcJobs.on(store);
    jobs.enqueue(Job.of(Key.of("exports", "broken"), "12345"));
    jobs.bury(
        jobs.reserve(new dev.semel.Operation("exports"), 1, Duration.ofMinutes(5)).getFirst(),
        DeadLetterReason.GAVE_UP,
        "boom");
    outbox = JdbcOutbox.on(store, OutboxSettings.defaults());
    inbox = JdbcInbox.on(store);
    Path tokens = Files.writeString(folder.resolve("tokens"), TOKEN);
    server =
        SemelServer.start(
            dev.semel.server.ServerSettings.defaults()
                .withAddress("127.0.0.1", 0)
                .withAccess(AccessRules.parse(tokens)),
            ServerBackend.of(new MemoryStreams(InstantSource.system()))
                .withTargets(
                    AdminTargets.of(store)
                        .withJobs(jobs)
                        .withOutbox(outbox.operations())
                        .withInbox(inbox.operations())));
    here = new Cli(folder).with("SEMEL_STORE", "sqlite:shop.db").with("USER", "ann");
    there =
        new Cli(folder)
            .with("SEMEL_URL", "http://127.0.0.1:" + server.port())
            .with("SEMEL_TOKEN", TOKEN);
    assertThat(here.call("run", "--key", "nightly", "--", "echo", "hi").code()).isZero();
  }

  @AfterEach
  void end() {
    server.close();
    inbox.close();
    outbox.close();
    jobs.close();
    store.close();
  }

  /** Removes what changes from call to call. */
  private static String still(Cli.Result result) {
    return result
        .out()
        .replaceAll("\"(age|retention_left|oldest)_ms\":\\d+", "\"$1_ms\":0")
        .replaceAll("\"now\":\"[^\"]*\"", "\"now\":\"\"");
  }

  @Test
  void eventsAreFollowedThere() {
    try (RunningCommand following = there.start("audit", "list", "-f", "--kind", "completed")) {
      await().until(() -> following.outSoFar().contains("run:nightly"));
      here.call("run", "--key", "weekly", "--", "true");
      await().until(() -> following.outSoFar().contains("run:weekly"));
      assertThat(following.outSoFar()).hasLineCount(2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stats",
        "keys list",
        "keys inspect nightly --payload",
        "queues list",
        "outbox status",
        "outbox list --state dead",
        "inbox status",
        "inbox list --consumer stock --state dead",
        "jobs list",
        "jobs dead --trace",
        "audit list",
        "audit list --key nightly",
        "audit verify"
      })
  void documentsAreTheSameHereAndThere(String words) {
    String[] args =
        Stream.concat(Stream.of(words.split(" ")), Stream.of("-o", "json")).toArray(String[]::new);
    Cli.Result local = here.call(args);
    Cli.Result remote = there.call(args);
    assertThat(remote.code()).as(remote.err()).isEqualTo(local.code()).isZero();
    assertThat(still(remote)).isEqualTo(still(local)).startsWith("{");
    assertThat(there.call(words.split(" ")).code()).isZero();
  }

  @Test
  void changesAreMadeThereAndWrittenDownInTheTokensName() {
    assertThat(there.call("keys", "release", "nightly", "-y").out()).contains("released");
    assertThat(there.call("queues", "set", "run", "lease=1m").out()).contains("version 1");
    assertThat(there.call("jobs", "retry", "--all", "-y").out()).isEqualTo("retried 1 job\n");
    assertThat(there.call("outbox", "retry", "-y").out()).isEqualTo("retried 1 message\n");
    assertThat(there.call("inbox", "retry", "--consumer", "stock", "-y").out())
        .contains("retried 1");
    assertThat(there.call("inbox", "forget", "--consumer", "ledger", "--id", "new", "-y").code())
        .isZero();
    assertThat(there.call("cleanup").out()).isEqualTo("removed 0 records\n");
    assertThat(there.call("keys", "delete", "nightly", "-y").code()).isZero();
    assertThat(there.call("keys", "delete", "nightly", "-y").code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(there.call("stats", "reset", "-y").code()).isZero();
    assertThat(here.call("audit", "list", "--kind", "changed").out().lines())
        .hasSize(9)
        .allMatch(line -> line.contains("actor=token "));
  }

  @Test
  void whatTheCallNamesGoesBeforeTheServer() {
    assertThat(there.call("keys", "list", "--store", "memory:", "-o", "json").out())
        .isEqualTo("{\"keys\":[],\"next\":null}\n");
    assertThat(there.call("inbox", "status", "--database", "sqlite:shop.db", "-o", "plain").out())
        .contains("ledger\t1");
  }

  @Test
  void serverThatRefusesOrIsNotThereIsToldApartAndTheTokenIsNeverShown() throws Exception {
    Cli stranger = there.with("SEMEL_TOKEN", "strangers-token-0123456789");
    Cli.Result refused = stranger.call("stats");
    assertThat(refused.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(refused.err()).contains("does not allow this").doesNotContain("strangers-token");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      stranger = stranger.with("SEMEL_URL", "http://127.0.0.1:" + taken.getLocalPort());
    }
    for (List<String> words :
        List.of(
            List.of("stats"),
            List.of("jobs", "list"),
            List.of("outbox", "status"),
            List.of("keys", "list", "-o", "json"),
            List.of("audit", "list", "-o", "json"),
            List.of("export", "keys"))) {
      Cli.Result away = stranger.call(words.toArray(new String[0]));
      assertThat(away.code()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(away.err()).contains("can't be reached").doesNotContain("strangers-token");
      assertThat(away.out()).isEmpty();
    }
  }

  @Test
  void whatOnlyAStoreCanSayIsRefused() {
    Cli.Result token = there.call("keys", "inspect", "nightly", "--show-token");
    assertThat(token.code()).isEqualTo(ExitCode.USAGE);
    assertThat(token.err()).contains("--store");
    Cli.Result run = there.call("run", "--key", "a", "--", "true");
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("SEMEL_URL");
  }
}
