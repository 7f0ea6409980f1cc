package dev.semel.cli;

import dev.semel.InvalidInput;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What applies to a command, whoever said so: flags, then {@code SEMEL_*} variables, then {@code
 * semel.yaml} in the current folder and in the data folder, then defaults.
 *
 * @param store the store's URL as given; empty when it is the data folder's own
 * @param streams the URL of the streams as given; empty when they are the data folder's own
 * @param server the address of a server that is to be asked; empty when none is
 */
record Settings(
    Optional<String> store,
    Optional<String> streams,
    Optional<String> server,
    Path data,
    Format output,
    boolean logEvents) {
  static final String DATA = "data";
  static final String STORE = "store";
  static final String STREAMS = "streams";
  static final String OUTPUT = "output";
  static final String LOG = "log";

  /** Names a server. */
  static final String SERVER = "SEMEL_URL";

  private static final String DEFAULT = "default";
  private static final String COMMAND_LINE = "command line";
  private static final String VARIABLE = "SEMEL_";

  private static final Set<String> KNOWN = Set.of(DATA, STORE, STREAMS, OUTPUT, LOG);
  private static final Set<String> KNOWN_IN_DATA_FOLDER = Set.of(STORE, STREAMS, OUTPUT, LOG);

  /**
   * One setting, and who said so.
   *
   * @param origin such as {@code --store}, {@code SEMEL_STORE}, a file, or {@code default}
   */
  record Value(String text, String origin) {}

  /**
   * @param flags what was given on the command line, by setting
   */
  static Settings resolve(Map<String, String> flags, Surroundings around) {
    Map<String, Value> values = values(flags, around);
    Optional<Value> streams = Optional.ofNullable(values.get(STREAMS));
    String server = around.variable(SERVER);
    // Whoever says it for this call, or in the same place, goes before a file.
    boolean asked = streams.map(s -> nearer(s.origin())).orElse(false);
    return new Settings(
        Optional.ofNullable(values.get(STORE)).map(Value::text),
        streams.map(Value::text),
        server.isEmpty() || asked ? Optional.empty() : Optional.of(server),
        Path.of(text(values, DATA)),
        Format.parse(text(values, OUTPUT)),
        log(text(values, LOG)));
  }

  private static boolean nearer(String origin) {
    return origin.equals(COMMAND_LINE) || origin.startsWith(VARIABLE);
  }

  /** Where records are; may hold a password. */
  String storeUrl() {
    if (store.isEmpty() && server.isPresent()) {
      throw new InvalidInput(
          SERVER
              + " is set, but this version can only ask servers for streams: unset it, or name a store with --store");
    }
    return store.orElseGet(() -> "sqlite:" + data.resolve("semel.db"));
  }

  /** Where streams are for whoever uses them: in a server or here. */
  String streamsUrl() {
    return server.orElseGet(this::ownStreamsUrl);
  }

  /** Where streams are for whoever serves them. */
  String ownStreamsUrl() {
    return streams.orElseGet(() -> "journal:" + data.resolve("streams"));
  }

  private static String text(Map<String, Value> values, String name) {
    return Objects.requireNonNull(values.get(name)).text();
  }

  /** Every setting with its origin; the store is missing where it is the data folder's own. */
  static Map<String, Value> values(Map<String, String> flags, Surroundings around) {
    Map<String, Value> merged = new TreeMap<>();
    addFile(merged, around.folder(), KNOWN);
    for (String name : KNOWN) {
      String variable = VARIABLE + name.toUpperCase(Locale.ROOT);
      if (!around.variable(variable).isEmpty()) {
        merged.put(name, new Value(around.variable(variable), variable));
      }
    }
    flags.forEach((name, text) -> merged.put(name, new Value(text, COMMAND_LINE)));
    Value data = merged.get(DATA);
    Path folder = data == null ? around.userData() : folder(around, data.text());
    merged.put(DATA, new Value(folder.toString(), data == null ? DEFAULT : data.origin()));
    if (!folder.equals(around.folder())) {
      Map<String, Value> inFolder = new HashMap<>();
      addFile(inFolder, folder, KNOWN_IN_DATA_FOLDER);
      inFolder.forEach(merged::putIfAbsent);
    }
    merged.putIfAbsent(OUTPUT, new Value("table", DEFAULT));
    merged.putIfAbsent(LOG, new Value("off", DEFAULT));
    return merged;
  }

  private static void addFile(Map<String, Value> to, Path folder, Set<String> known) {
    String origin = folder.resolve(SettingsFile.NAME).toString();
    SettingsFile.read(folder, known).forEach((name, text) -> to.put(name, new Value(text, origin)));
  }

  private static Path folder(Surroundings around, String text) {
    try {
      return around.folder().resolve(text).normalize();
    } catch (InvalidPathException e) {
      throw new InvalidInput("the data folder's path is not valid: " + e.getReason());
    }
  }

  private static boolean log(String text) {
    return switch (text) {
      case "json" -> true;
      case "off" -> false;
      default -> throw new InvalidInput("the log can be json or off, not " + text);
    };
  }
}
