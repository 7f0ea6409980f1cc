package dev.semel.cli;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.admin.document.internal.ActionParameter;
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.admin.document.internal.ExportTable;
import dev.semel.jdbc.JdbcJobs;
import dev.semel.jdbc.SqliteStore;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.Job;
import dev.semel.job.spi.JobQueue;
import dev.semel.json.Json;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Commands offer every action with its parameters, and print its answer. The tables here list the
 * exceptions.
 */
class ActionCommandsTest {
  /** Commands with another name than their action, and the option for it. */
  private static final Map<AdminAction, String> REACHED_BY =
      Map.ofEntries(
          entry(AdminAction.KEYS_EVENTS, "audit list --key"),
          entry(AdminAction.KEYS_LIFE_LINE, "keys inspect --life-line"),
          entry(AdminAction.KEYS_PAYLOAD, "keys inspect --payload"),
          entry(AdminAction.OUTBOX_ABOUT, "keys inspect --life-line"),
          entry(AdminAction.JOBS_INSPECT, "keys inspect --life-line"),
          entry(AdminAction.AUDIT_END, "audit list --follow"),
          entry(AdminAction.EVENTS, "audit list --follow"),
          entry(AdminAction.HEALTH, "doctor"),
          entry(AdminAction.QUOTAS, "doctor"),
          entry(AdminAction.ADVISE_APPLY, "advise --apply"));

  /** Actions without a command; {@code tui} and the page have some of them. */
  private static final Set<AdminAction> NO_COMMAND =
      EnumSet.of(
          AdminAction.KEYS_DELETE_MANY,
          AdminAction.INBOX_PURGE_DEAD,
          AdminAction.JOBS_QUEUES,
          AdminAction.JOBS_PAYLOAD,
          AdminAction.WHOAMI,
          AdminAction.OPENAPI);

  /** Options with another name than their parameter; empty: the command has another way. */
  private static final Map<String, String> CALLED =
      Map.ofEntries(
          entry("QUEUES_SET name", "OPERATION"),
          entry("QUEUES_SET settings", "SETTING=VALUE"),
          entry("KEYS_EVENTS limit", "--limit"),
          entry("OUTBOX_ABOUT key", "KEY"),
          entry("OUTBOX_ABOUT limit", ""), // as many as a timeline shows
          entry("JOBS_LIST trace", ""), // jobs dead --trace
          entry("JOBS_RETRY payload", ""), // over HTTP alone
          entry("AUDIT_LIST after", ""), // --all begins at the oldest
          entry("ADVISE_APPLY topic", ""), // applies everything that was advised
          entry("ADVISE_APPLY change", ""),
          entry("BACKUP name", "DIR"),
          entry("EXPORT what", "keys|events|stats"),
          entry("EXPORT prefix", ""), // keys list --prefix --all
          entry("PRODUCERS_FENCE managed", "")); // the command looks up the kind

  /** Defaults for people that differ from those for programs. */
  private static final Map<String, String> USUALLY =
      Map.of(
          "AUDIT_LIST limit", "50",
          "KEYS_EVENTS limit", "50",
          "EXPORT format", "json");

  private static final Set<String> CONFIRMS = Set.of("dry_run", "expect");

  @TempDir Path folder;

  private static CommandLine command(AdminAction action) {
    String words =
        REACHED_BY.getOrDefault(action, action.name().toLowerCase(Locale.ROOT).replace('_', ' '));
    CommandLine command = CommandManual.commands();
    for (String word : words.split(" ", -1)) {
      if (word.startsWith("--")) {
        assertThat(command.getCommandSpec().findOption(word)).as(words).isNotNull();
      } else {
        command =
            Objects.requireNonNull(
                command.getSubcommands().get(word), "%s: semel %s".formatted(action, words));
      }
    }
    return command;
  }

  /** An option by its name, or a parameter by its label. */
  private static ArgSpec argument(CommandLine command, AdminAction action, String name) {
    String called = CALLED.getOrDefault(action + " " + name, "--" + name.replace('_', '-'));
    OptionSpec option = command.getCommandSpec().findOption(called);
    String label = called.startsWith("--") ? name.toUpperCase(Locale.ROOT) : called;
    return option != null
        ? option
        : command.getCommandSpec().positionalParameters().stream()
            .filter(each -> each.paramLabel().equals(label))
            .findFirst()
            .orElseThrow(() -> new AssertionError("%s has no %s".formatted(action, called)));
  }

  @ParameterizedTest
  @EnumSource(AdminAction.class)
  void commandsTakeWhatTheirActionsTake(AdminAction action) {
    if (NO_COMMAND.contains(action)) {
      return;
    }
    CommandLine command = command(action);
    List<String> names = new ArrayList<>(List.of(action.named()));
    action.parameters().forEach(each -> names.add(each.name()));
    names.removeIf(
        each ->
            each.isEmpty()
                || CONFIRMS.contains(each)
                || CALLED.getOrDefault(action + " " + each, "-").isEmpty());
    for (String name : names) {
      ArgSpec argument = argument(command, action, name);
      action.parameter(name).ifPresent(each -> assertSame(action, each, argument));
    }
    if (action.effect() == AdminAction.Effect.DESTROYS || action.parameter("expect").isPresent()) {
      assertThat(command.getCommandSpec().findOption("--yes"))
          .as("%s touches what can't be brought back, so its command asks", action)
          .isNotNull();
    }
  }

  private static void assertSame(AdminAction action, ActionParameter parameter, ArgSpec argument) {
    String what = action + " " + parameter.name();
    String help = String.join(" ", argument.description()) + argument.paramLabel();
    for (String choice : parameter.value().choices()) {
      if (!choice.equals("dead") || !action.equals(AdminAction.JOBS_LIST)) {
        assertThat(help).as(what).contains(choice.replace('_', '-'));
      }
    }
    if (argument instanceof OptionSpec) {
      String usual = Objects.requireNonNullElse(argument.defaultValue(), "");
      assertThat(usual)
          .as("the default of %s", what)
          .isEqualTo(USUALLY.getOrDefault(what, parameter.value().otherwise()));
    }
  }

  private Cli.Result call(String words) {
    return new Cli(folder)
        .with("SEMEL_STORE", "sqlite:shop.db")
        .with("USER", "ann")
        .call(words.split(" ", -1));
  }

  private void prepare() throws SQLException {
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.order("sent").publish().order("dead").bury("there is no such subject").order("waits");
      shop.relay().handle("ledger", "new").keep("stock", "first").reject("stock");
      shop.keep("stock", "second");
    }
    try (SqliteStore store = SqliteStore.open(folder.resolve("shop.db"), InstantSource.system());
        JobQueue jobs = JdbcJobs.on(store)) {
      assertThat(jobs.enqueue(Job.of(Key.of("exports", "broken"), "12345"))).isNotNull();
      jobs.bury(
          jobs.reserve(new Operation("exports"), 1, Duration.ofMinutes(5)).getFirst(),
          DeadLetterReason.GAVE_UP,
          "boom");
    }
    assertThat(call("run --key nightly -- echo hi").code()).isZero();
    assertThat(call("run --key nightly -- echo hi").code()).isZero();
    assertThat(call("run --key other -- echo hi").code()).isZero();
  }

  /** One after the other on the same store; destructive commands come last. */
  @Test
  void commandsPrintWhatTheirActionsAnswer() throws SQLException {
    prepare();
    assertPrints(AdminAction.STATS, "stats");
    assertPrints(AdminAction.QUEUES_SET, "queues set run retention=7d");
    assertPrints(AdminAction.QUEUES_LIST, "queues list");
    assertPrints(AdminAction.KEYS_LIST, "keys list --limit 1");
    assertPrints(AdminAction.KEYS_INSPECT, "keys inspect nightly");
    assertPrints(AdminAction.OUTBOX_STATUS, "outbox status");
    assertPrints(AdminAction.OUTBOX_LIST, "outbox list --state dead");
    assertPrints(AdminAction.OUTBOX_PAYLOAD, "outbox payload --id dead");
    assertPrints(AdminAction.INBOX_STATUS, "inbox status");
    assertPrints(AdminAction.INBOX_LIST, "inbox list --consumer stock --state dead");
    assertPrints(AdminAction.INBOX_PAYLOAD, "inbox payload --consumer stock --id first");
    assertPrints(AdminAction.JOBS_LIST, "jobs list");
    assertPrints(AdminAction.JOBS_LIST, "jobs dead --trace");
    assertPrints(AdminAction.AUDIT_LIST, "audit list");
    assertPrints(AdminAction.AUDIT_VERIFY, "audit verify");
    assertPrints(AdminAction.ALERTS, "alerts");
    assertPrints(AdminAction.ADVISE, "advise");
    assertPrints(AdminAction.OUTBOX_RETRY, "outbox retry -y");
    assertPrints(AdminAction.OUTBOX_REPLAY, "outbox replay -y");
    assertPrints(AdminAction.OUTBOX_PURGE, "outbox purge --state published -y");
    assertPrints(AdminAction.INBOX_RETRY, "inbox retry --consumer stock -y");
    assertPrints(AdminAction.INBOX_FORGET, "inbox forget --consumer ledger --id new -y");
    assertPrints(AdminAction.INBOX_PURGE, "inbox purge --consumer ledger --older-than 1d -y");
    assertPrints(AdminAction.JOBS_RETRY, "jobs retry --all -y");
    assertPrints(AdminAction.AUDIT_ERASE, "audit erase --key other -y");
    assertPrints(AdminAction.KEYS_RELEASE, "keys release nightly -y");
    assertPrints(AdminAction.KEYS_DELETE, "keys delete nightly -y");
    assertPrints(AdminAction.CLEANUP, "cleanup -y");
    assertPrints(AdminAction.STATS_RESET, "stats reset -y");
    assertPrints(AdminAction.BACKUP, "backup copy --data " + folder.resolve("data"));
  }

  private void assertPrints(AdminAction action, String words) {
    Cli.Result result = call(words + " -o json");
    assertThat(result.out()).as("semel %s: %s", words, result.err()).isNotEmpty();
    assertThat(action.answer().differences(Json.parse(result.out())))
        .as("semel %s: %s", words, result.out())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"KEYS, keys", "EVENTS, events", "STATS, stats"})
  void exportsHaveTheColumnsOfTheirTable(ExportTable table, String word) throws SQLException {
    prepare();
    List<String> lines =
        Arrays.asList(call("export %s --format csv".formatted(word)).out().split("\r\n", -1));
    assertThat(lines.getFirst() + "\r\n").isEqualTo(table.heading());
    assertThat(lines).hasSizeGreaterThan(2);
    call("export %s --format jsonl".formatted(word))
        .out()
        .lines()
        .forEach(line -> assertThat(table.row().differences(Json.parse(line))).isEmpty());
  }
}
