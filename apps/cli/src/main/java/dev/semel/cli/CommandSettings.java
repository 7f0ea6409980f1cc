package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.cli.serve.AlertOptions;
import dev.semel.cli.serve.GatewayCommand;
import dev.semel.internal.PrintableText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The settings of one call. Flags come first, then {@code SEMEL_*} variables, then {@code
 * semel.yaml} in the current folder and in the data folder, then defaults.
 *
 * @param store the store's URL as given; empty: the data folder has it
 * @param database the URL of the application's database as given; empty: the store
 * @param streams the URL of the streams as given; empty: the data folder has them
 * @param server the server to ask for streams; empty: none
 * @param messages the server to ask for outbox and inbox; empty: none
 * @param center the server to ask for everything else; empty: none
 */
public record CommandSettings(
    Optional<String> store,
    Optional<String> database,
    Optional<String> streams,
    Optional<String> server,
    Optional<String> messages,
    Optional<String> center,
    Path data,
    OutputFormat output,
    boolean logEvents) {
  static final String DATA = "data";
  public static final String STORE = "store";
  public static final String DATABASE = "database";
  public static final String STREAMS = "streams";
  public static final String OUTPUT = "output";
  public static final String LOG = "log";

  /** Variable with the address of a server. */
  public static final String SERVER = "SEMEL_URL";

  private static final String DEFAULT = "default";
  private static final String COMMAND_LINE = "command line";
  private static final String VARIABLE = "SEMEL_";

  /** Prefix of the gateway's options. */
  public static final String GATEWAY = GatewayCommand.NAME + ".";

  /** Prefix of a server's options. */
  public static final String SERVE = AlertOptions.COMMAND + ".";

  private static final String GATEWAY_VARIABLE = "SEMEL_GATEWAY_";
  private static final String SERVE_VARIABLE = "SEMEL_SERVE_";

  public static final Set<String> KNOWN = Set.of(DATA, STORE, DATABASE, STREAMS, OUTPUT, LOG);
  public static final Set<String> KNOWN_IN_DATA_FOLDER =
      Set.of(STORE, DATABASE, STREAMS, OUTPUT, LOG);

  /**
   * One setting and its origin.
   *
   * @param origin {@code command line}, a variable such as {@code SEMEL_STORE}, a file, or {@code
   *     default}
   */
  public record Value(String text, String origin) {
    public boolean isVariable() {
      return origin.startsWith(VARIABLE);
    }

    /** Omits the text, which may be a URL with a password. */
    @Override
    public String toString() {
      return "Value[" + origin + "]";
    }
  }

  /**
   * @param flags values from the command line, by setting
   */
  static CommandSettings resolve(Map<String, String> flags, Environment around) {
    Map<String, Value> values = values(flags, around);
    Optional<Value> streams = Optional.ofNullable(values.get(STREAMS));
    Optional<Value> store = Optional.ofNullable(values.get(STORE));
    Optional<Value> database = Optional.ofNullable(values.get(DATABASE));
    Optional<String> server =
        Optional.of(around.variable(SERVER)).filter(address -> !address.isEmpty());
    return new CommandSettings(
        store.map(Value::text),
        database.map(Value::text),
        streams.map(Value::text),
        server.filter(address -> !asked(streams)),
        server.filter(address -> !asked(store) && !asked(database)),
        server.filter(address -> !asked(store)),
        Path.of(text(values, DATA)),
        OutputFormat.parse(text(values, OUTPUT)),
        log(text(values, LOG)));
  }

  /**
   * A flag or a variable names a target for this call or this shell, so it precedes a server and a
   * file.
   */
  private static boolean asked(Optional<Value> value) {
    return value.map(s -> s.isVariable() || s.origin().equals(COMMAND_LINE)).orElse(false);
  }

  /** Whether it is an option of one command; that command checks which ones exist. */
  public static boolean ofACommand(String name) {
    return name.startsWith(GATEWAY) || name.startsWith(SERVE);
  }

  /** Omits the URLs, which may hold passwords. */
  @Override
  public String toString() {
    return "Settings[" + data + "]";
  }

  /** URL of the records for a command that can't ask a server; may hold a password. */
  String storeUrl() {
    if (store.isEmpty() && center.isPresent()) {
      throw new InvalidInput(
          SERVER
              + " is set, but this command works on a store itself: unset it, or name a store with"
              + " --store");
    }
    return ownStoreUrl();
  }

  /** URL of the records for a process that serves them; may hold a password. */
  public String ownStoreUrl() {
    return store.orElseGet(() -> "sqlite:" + data.resolve("semel.db"));
  }

  /** URL of the streams for a process that uses them: of a server, or local. */
  public String streamsUrl() {
    return server.orElseGet(this::ownStreamsUrl);
  }

  /** URL of the streams for a process that serves them. */
  public String ownStreamsUrl() {
    return streams.orElseGet(() -> "journal:" + data.resolve("streams"));
  }

  private static String text(Map<String, Value> values, String name) {
    return Objects.requireNonNull(values.get(name)).text();
  }

  /** Every setting with its origin; the store is missing if the data folder has it. */
  public static Map<String, Value> values(Map<String, String> flags, Environment around) {
    Map<String, Value> merged = new TreeMap<>();
    for (Map<String, Value> layer : layers(flags, around)) {
      layer.forEach(merged::putIfAbsent);
    }
    merged.put(DATA, data(Optional.ofNullable(merged.get(DATA)), around));
    merged.putIfAbsent(OUTPUT, new Value("table", DEFAULT));
    merged.putIfAbsent(LOG, new Value("off", DEFAULT));
    return merged;
  }

  /** Given values, the nearest layer first; without defaults. */
  public static List<Map<String, Value>> layers(Map<String, String> flags, Environment around) {
    Map<String, Value> given = new HashMap<>();
    flags.forEach((name, text) -> given.put(name, new Value(text, COMMAND_LINE)));
    Map<String, Value> variables = variables(around);
    Map<String, Value> here = file(around.folder(), KNOWN);
    Optional<Value> said =
        Stream.of(given, variables, here).flatMap(l -> Stream.ofNullable(l.get(DATA))).findFirst();
    Path data = Path.of(data(said, around).text());
    return List.of(
        given,
        variables,
        here,
        data.equals(around.folder()) ? Map.of() : file(data, KNOWN_IN_DATA_FOLDER));
  }

  private static Map<String, Value> variables(Environment around) {
    Map<String, Value> variables = new HashMap<>();
    for (String name : KNOWN) {
      addVariable(variables, name, VARIABLE + name.toUpperCase(Locale.ROOT), around);
    }
    addOptions(variables, GATEWAY, GATEWAY_VARIABLE, around);
    addOptions(variables, SERVE, SERVE_VARIABLE, around);
    return variables;
  }

  private static void addOptions(
      Map<String, Value> to, String command, String prefix, Environment around) {
    for (String variable : around.environment().keySet()) {
      if (variable.startsWith(prefix)) {
        String option = variable.substring(prefix.length());
        String name = command + option.toLowerCase(Locale.ROOT).replace('_', '-');
        addVariable(to, name, variable, around);
      }
    }
  }

  private static void addVariable(
      Map<String, Value> to, String name, String variable, Environment around) {
    if (!around.variable(variable).isEmpty()) {
      to.put(name, new Value(around.variable(variable), variable));
    }
  }

  private static Map<String, Value> file(Path folder, Set<String> known) {
    String origin = folder.resolve(SettingsFile.NAME).toString();
    Map<String, Value> values = new HashMap<>();
    SettingsFile.read(folder, known)
        .forEach((name, text) -> values.put(name, new Value(text, origin)));
    return values;
  }

  private static Value data(Optional<Value> said, Environment around) {
    return said.map(d -> new Value(folder(around, d.text()).toString(), d.origin()))
        .orElseGet(() -> new Value(around.userData().toString(), DEFAULT));
  }

  private static Path folder(Environment around, String text) {
    try {
      return around.folder().resolve(text).normalize();
    } catch (InvalidPathException e) {
      throw new InvalidInput("the data folder's path is not valid: " + e.getReason());
    }
  }

  public static boolean log(String text) {
    return switch (text) {
      case "json" -> true;
      case "off" -> false;
      default ->
          throw new InvalidInput("the log can be json or off, not " + PrintableText.quoted(text));
    };
  }
}
