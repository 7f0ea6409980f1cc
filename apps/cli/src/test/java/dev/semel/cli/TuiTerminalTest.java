package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.admin.AdminTargets;
import dev.semel.event.Event;
import dev.semel.event.spi.EventSink;
import dev.semel.idempotency.Payload;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.SqliteStore;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.stream.MemoryStreams;
import dev.semel.testservices.TmuxTerminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user at a real terminal, before a real server with a store in a file. */
@Tag("service")
class TuiTerminalTest {
  /** Characters of a hostile key; the store refuses texts that are no keys. */
  private static final String HOSTILE = "\u05e9\u05dc\u05d5\u05dd-\ud83d\ude80-\u6f22\u5b57";

  @TempDir Path folder;
  private SqliteStore store;
  private JdbcOutbox outbox;
  private JdbcInbox inbox;
  private SemelServer server;
  private final List<TmuxTerminal> opened = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    Path database = folder.resolve("shop.db");
    for (String id : new String[] {"order-1", "order-2", HOSTILE, "x".repeat(230)}) {
      Records.completed(
          database, Key.of("payments", id), new Payload("text/plain", new byte[] {1}));
    }
    store = SqliteStore.open(database, InstantSource.system());
    outbox = JdbcOutbox.on(store, OutboxSettings.defaults());
    inbox = JdbcInbox.on(store);
    EventSink sink = new EventSink(store.events(), InstantSource.system(), key -> false);
    sink.on(
        new Event.Replayed(
            Key.of("payments", "order-1"),
            "",
            new FirstExecution("", 1, Duration.ofSeconds(1), Duration.ofHours(1))));
    sink.flush();
    assertThat(
            new Cli(folder)
                .with("SEMEL_STORE", "sqlite:shop.db")
                .call("queues", "set", "payments", "lease=1m")
                .code())
        .isZero();
    serve(0);
  }

  private void serve(int port) throws Exception {
    server =
        SemelServer.start(
            dev.semel.server.ServerSettings.defaults().withAddress("127.0.0.1", port),
            ServerBackend.of(new MemoryStreams(InstantSource.system()))
                .withTargets(
                    AdminTargets.of(store)
                        .withOutbox(outbox.operations())
                        .withInbox(inbox.operations())));
  }

  @AfterEach
  void end() {
    opened.forEach(TmuxTerminal::close);
    server.close();
    inbox.close();
    outbox.close();
    store.close();
  }

  private void open(int columns, int rows, String... variables) {
    Map<String, String> environment = new HashMap<>();
    environment.put("SEMEL_URL", "http://127.0.0.1:" + server.port());
    for (int i = 0; i < variables.length; i += 2) {
      environment.put(variables[i], variables[i + 1]);
    }
    opened.add(TuiProgram.start(folder, columns, rows, environment));
    sees("Requests (24h)");
  }

  private TmuxTerminal terminal() {
    return opened.getLast();
  }

  private void sees(String... texts) {
    await()
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> assertThat(terminal().screen()).contains(texts));
  }

  private void seesNot(String text) {
    await()
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> assertThat(terminal().screen()).doesNotContain(text));
  }

  @Test
  void everyShortcutDoesWhatTheHelpSaysAndAServerThatGoesAwayIsFoundAgain() throws Exception {
    open(140, 40);
    sees("Deduplication", "Idempotency keys 1/4", "Configuration & tuning", "× order-1");
    terminal().press("h");
    sees("Keyboard", "Reset all statistics (asks)");
    terminal().press("Escape");
    seesNot("Keyboard");
    terminal().press("f");
    sees("press c first");
    terminal().press("c", "f");
    sees("removed 0 records");
    terminal().press("s");
    sees("statistics are in semel-stats-");
    try (var files = Files.newDirectoryStream(folder, "semel-stats-*.json")) {
      assertThat(files.iterator().next()).content().startsWith("{");
    }
    terminal().press("k", "/", "order-2");
    sees("Idempotency keys 1/1");
    terminal().press("Enter", "Enter");
    sees("default/payments:order-2", "Life line", "expires");
    terminal().press("d");
    sees("Delete default/payments:order-2?");
    terminal().press("n", "d", "y");
    sees("deleted default/payments:order-2");
    assertThat(store.idempotency().find(Key.of("payments", "order-2"))).isEmpty();
    terminal().press("c", "C-r");
    sees("Reset all statistics?");
    terminal().press("y");
    sees("all counts are zero");
    terminal().press("o", "Tab", "Enter");
    sees("Settings of payments");
    terminal().press("Down", "4", "8", "h", "Enter");
    sees("settings changed", "48h");
    terminal().press("r");

    int port = server.port();
    server.close();
    sees("away for", "no answer, trying again");
    assertThat(terminal().screen()).as("what was read stays").contains("order-1");
    serve(port);
    sees("it answers again");
    seesNot("away for");
    terminal().press("q");
    sees("ended with 0");
  }

  @Test
  void narrowTerminalWithoutColourHasTabsFollowsItsSizeAndKeepsHostileKeysInTheirColumns() {
    open(100, 24, "NO_COLOR", "1", "COLORTERM", "truecolor");
    terminal().press("2");
    sees("\ud83d\ude80", "\u6f22\u5b57", "order-1");
    List<String> rows = terminal().screen().lines().filter(line -> line.contains("DONE")).toList();
    assertThat(rows).hasSize(4);
    for (String row : rows) {
      assertThat(columns(row)).as(row).isEqualTo(100);
      assertThat(columns(row.substring(0, row.indexOf("DONE"))))
          .as(row)
          .isEqualTo(columns(rows.getFirst().substring(0, rows.getFirst().indexOf("DONE"))));
    }
    terminal().resize(80, 24);
    terminal().press("1");
    sees("1 Stats", "Recent duplicates blocked");
    terminal().press("2");
    sees("Idempotency keys", "OPERATION");
    terminal().press("3");
    sees("Transactional outbox");
    terminal().press("4");
    sees("Configuration & tuning", "f Force cleanup");
    terminal().press("Tab");
    sees("Duplicate rate, 24h");
    terminal().resize(140, 40);
    sees("Deduplication", "Idempotency keys", "Transactional outbox", "Configuration & tuning");
    assertThat(terminal().colours()).doesNotContainPattern("\u001b\\[[0-9;]*(3[0-7]|38|48);");
    terminal().resize(30, 8);
    sees("is the least");
    terminal().resize(80, 24);
    sees("1 Stats");
    terminal().press("C-c");
    sees("ended with 0");
  }

  /** Columns on this terminal, measured without the program's own function. */
  private static int columns(String text) {
    return text.codePoints().map(c -> "\ud83d\ude80\u6f22\u5b57".indexOf(c) >= 0 ? 2 : 1).sum();
  }
}
