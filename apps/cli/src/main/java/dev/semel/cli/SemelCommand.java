package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.cli.connect.ControlCenters;
import dev.semel.cli.connect.JobQueues;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.cli.demo.DemoCommand;
import dev.semel.cli.jobs.JobsCommand;
import dev.semel.cli.jobs.QueuesCommand;
import dev.semel.cli.keys.CleanupCommand;
import dev.semel.cli.keys.KeysCommand;
import dev.semel.cli.messages.InboxCommand;
import dev.semel.cli.messages.OutboxCommand;
import dev.semel.cli.operate.AdviseCommand;
import dev.semel.cli.operate.AlertsCommand;
import dev.semel.cli.operate.AuditCommand;
import dev.semel.cli.operate.BackupCommand;
import dev.semel.cli.operate.ConfigCommand;
import dev.semel.cli.operate.DoctorCommand;
import dev.semel.cli.operate.ExportCommand;
import dev.semel.cli.operate.MigrateCommand;
import dev.semel.cli.operate.StatsCommand;
import dev.semel.cli.prove.ProveCommand;
import dev.semel.cli.run.BenchCommand;
import dev.semel.cli.run.RunCommand;
import dev.semel.cli.serve.GatewayCommand;
import dev.semel.cli.serve.ServeCommand;
import dev.semel.cli.streams.ProducersCommand;
import dev.semel.cli.streams.StreamsCommand;
import dev.semel.cli.tui.TuiCommand;
import dev.semel.event.JsonLog;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.spi.Store;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The top-level command: options that all commands share, and the table of commands. */
@CommandLine.Command(
    name = "semel",
    header = "Effectively exactly-once processing.",
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = SemelVersion.class,
    footer = {
      "",
      "Examples:",
      "  semel demo                                  see what it does",
      "  semel run --key 2026-01-31 -- ./report.sh   run a command once",
      "  semel keys list                             what has run, and what runs",
      "  semel serve                                 streams and admin API over HTTP",
      "  semel gateway --upstream URL                idempotency keys for any service",
      "",
      "Exit codes: 0 ok, 1 failed, 2 usage, 3 not found, 4 conflict or fenced,",
      "5 unreachable or locked, 6 timeout, 130 interrupted."
    })
public final class SemelCommand {
  /** The operation of a key that names none. */
  private static final Operation BARE = new Operation("run");

  /** The JDK's replacement for bytes that are no valid text. */
  private static final char BROKEN = '\ufffd';

  private final Environment around;
  private final JobQueues queues;
  private final Console console;

  @Option(
      names = "--store",
      paramLabel = "URL",
      scope = ScopeType.INHERIT,
      description =
          "The store: sqlite:FILE, postgresql://…, mariadb://…, redis://…, redis-cluster://… or"
              + " memory: (default: the data folder's semel.db; SEMEL_STORE).")
  private @Nullable String store;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "The data folder (default: the user's own; SEMEL_DATA).")
  private @Nullable String data;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      scope = ScopeType.INHERIT,
      description = "table, json, jsonl or plain (default: table; SEMEL_OUTPUT).")
  private @Nullable String output;

  @Option(
      names = "--log-events",
      scope = ScopeType.INHERIT,
      description = "Write each decision to standard error as a line of JSON (SEMEL_LOG=json).")
  private boolean logEvents;

  @Option(
      names = {"-q", "--quiet"},
      scope = ScopeType.INHERIT,
      description = "No notes on standard error.")
  private boolean quiet;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help and exit.")
  @SuppressWarnings("UnusedVariable") // the parser acts on it
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show the version and exit.")
  @SuppressWarnings("UnusedVariable") // the parser acts on it
  private boolean version;

  private SemelCommand(Environment around, JobQueues queues) {
    this.around = around;
    this.queues = queues;
    this.console = new Console(around);
  }

  /** Runs one command line and returns its exit code. */
  public static int execute(Environment around, String... args) {
    return execute(around, JobQueues.KNOWN, args);
  }

  /** Runs with job queues of another source. */
  static int execute(Environment around, JobQueues queues, String... args) {
    return line(around, queues, args.length == 0 ? "" : args[0]).execute(args);
  }

  /** A parser for command lines that begin with this word; empty: for any. */
  public static CommandLine line(Environment around, JobQueues queues, String first) {
    SemelCommand semel = new SemelCommand(around, queues);
    CommandLine line = new CommandLine(semel);
    commands(semel, first).forEach(add -> add.accept(line));
    CommandLines.configure(line, semel.console, around);
    return line;
  }

  /**
   * Reading the annotations of a command takes longer than most commands run, so only the command
   * that the first word names is added.
   */
  private static Collection<Consumer<CommandLine>> commands(SemelCommand semel, String first) {
    Map<String, Consumer<CommandLine>> commands = new LinkedHashMap<>();
    commands.put("run", line -> line.addSubcommand(new RunCommand(semel)));
    commands.put("keys", line -> line.addSubcommand(KeysCommand.with(semel)));
    commands.put("advise", line -> line.addSubcommand(new AdviseCommand(semel)));
    commands.put("tui", line -> line.addSubcommand(new TuiCommand(semel)));
    commands.put("stats", line -> line.addSubcommand(StatsCommand.with(semel)));
    commands.put("serve", line -> line.addSubcommand(new ServeCommand(semel)));
    commands.put("gateway", line -> line.addSubcommand(new GatewayCommand(semel)));
    commands.put("streams", line -> line.addSubcommand(StreamsCommand.with(semel)));
    commands.put("producers", line -> line.addSubcommand(ProducersCommand.with(semel)));
    commands.put("queues", line -> line.addSubcommand(QueuesCommand.with(semel)));
    commands.put("jobs", line -> line.addSubcommand(JobsCommand.with(semel)));
    commands.put("outbox", line -> line.addSubcommand(OutboxCommand.with(semel)));
    commands.put("inbox", line -> line.addSubcommand(InboxCommand.with(semel)));
    commands.put("alerts", line -> line.addSubcommand(new AlertsCommand(semel)));
    commands.put("doctor", line -> line.addSubcommand(new DoctorCommand(semel)));
    commands.put("audit", line -> line.addSubcommand(AuditCommand.with(semel)));
    commands.put("config", line -> line.addSubcommand(ConfigCommand.with(semel)));
    commands.put("backup", line -> line.addSubcommand(new BackupCommand(semel)));
    commands.put("migrate", line -> line.addSubcommand(new MigrateCommand(semel)));
    commands.put("cleanup", line -> line.addSubcommand(new CleanupCommand(semel)));
    commands.put("export", line -> line.addSubcommand(new ExportCommand(semel)));
    commands.put("bench", line -> line.addSubcommand(new BenchCommand(semel)));
    commands.put("prove", line -> line.addSubcommand(new ProveCommand(semel)));
    commands.put("demo", line -> line.addSubcommand(new DemoCommand(semel)));
    commands.put("client-adapter", line -> line.addSubcommand(new ClientAdapterCommand(semel)));
    commands.put("completion", line -> line.addSubcommand(new CompletionCommand(semel)));
    commands.put("help", line -> line.addSubcommand(new HelpCommand()));
    // These two describe all the others.
    boolean ofAll = first.equals("help") || first.equals("completion");
    Consumer<CommandLine> only = ofAll ? null : commands.get(first);
    return only == null ? commands.values() : List.of(only);
  }

  public Environment around() {
    return around;
  }

  public JobQueues queues() {
    return queues;
  }

  public Console console() {
    console.quiet(quiet);
    return console;
  }

  public CommandSettings settings() {
    return CommandSettings.resolve(flags(), around);
  }

  /**
   * Settings for a command with an additional flag for one of them.
   *
   * @param value the flag's value; null: not given
   */
  public CommandSettings settings(String name, @Nullable String value) {
    Map<String, String> flags = flags();
    put(flags, name, value);
    return CommandSettings.resolve(flags, around);
  }

  /** Values from the command line, by setting. */
  public Map<String, String> flags() {
    Map<String, String> flags = new HashMap<>();
    put(flags, CommandSettings.STORE, store);
    put(flags, CommandSettings.DATA, data);
    put(flags, CommandSettings.OUTPUT, output);
    if (logEvents) {
      flags.put(CommandSettings.LOG, "json");
    }
    return flags;
  }

  private static void put(Map<String, String> flags, String name, @Nullable String value) {
    if (value != null) {
      if (value.isEmpty()) {
        throw new InvalidInput("--%s has no value".formatted(name));
      }
      flags.put(name, value);
    }
  }

  /** Refuses {@code -o} for commands whose standard output has another source. */
  public void refuseOutputFlag(String why) {
    if (output != null) {
      throw new InvalidInput("-o has no meaning here: " + why);
    }
  }

  public Store open() {
    return StoreUrls.open(storeUrl(), around.folder());
  }

  /** May hold a password. */
  public String storeUrl() {
    return settings().storeUrl();
  }

  /** Finds what the commands for operators administer. */
  public ControlCenters centers() {
    return new ControlCenters(this);
  }

  /** The user of this process; changes are recorded in this name. */
  public String user() {
    String user = around.variable("USER");
    return user.isEmpty() ? "unknown" : user;
  }

  /** The store that this call's flag names, whatever else is set. */
  public Optional<String> storeFlag() {
    return Optional.ofNullable(store);
  }

  /** Another command on the same store, for the user to copy. */
  public String hint(String words) {
    StringBuilder hint = new StringBuilder(around.command()).append(' ').append(words);
    if (data != null) {
      hint.append(" --data ").append(ShellWord.of(data));
    }
    if (store != null) {
      hint.append(" --store ").append(StoreUrls.mayHoldSecret(store) ? "…" : ShellWord.of(store));
    }
    return hint.toString();
  }

  public SemelListener listener() {
    return settings().logEvents()
        ? new JsonLog(around.streams().err(), InstantSource.system())
            .and(event -> around.streams().err().flush())
        : SemelListener.NONE;
  }

  /** Turns the log on for long-running commands, which have no other place to report failures. */
  public void logToStandardError() {
    CommandLog.on(around.streams().err(), settings().logEvents());
  }

  /** Parses a key by the rule of all commands, so that they mean the same record. */
  static Key key(String text) {
    if (text.indexOf(BROKEN) >= 0) {
      throw new InvalidInput("the key is not valid UTF-8: use printable text, or hash it");
    }
    return Key.parse(text, BARE);
  }

  /** The value of an option that the parser requires. */
  public static <T> T given(@Nullable T value) {
    return Objects.requireNonNull(value);
  }
}
