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
 */
record Settings(Optional<String> store, Path data, Format output, boolean logEvents) {
  static final String DATA = "data";
  static final String STORE = "store";
  static final String OUTPUT = "output";
  static final String LOG = "log";

  private static final String DEFAULT = "default";

  /** Names a server, which this version has not. */
  private static final String SERVER = "SEMEL_URL";

  private static final Set<String> KNOWN = Set.of(DATA, STORE, OUTPUT, LOG);
  private static final Set<String> KNOWN_IN_DATA_FOLDER = Set.of(STORE, OUTPUT, LOG);

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
    Optional<String> store = Optional.ofNullable(values.get(STORE)).map(Value::text);
    refuseServer(store, around);
    return new Settings(
        store,
        Path.of(text(values, DATA)),
        Format.parse(text(values, OUTPUT)),
        log(text(values, LOG)));
  }

  private static String text(Map<String, Value> values, String name) {
    return Objects.requireNonNull(values.get(name)).text();
  }

  /** Every setting with its origin; the store is missing where it is the data folder's own. */
  static Map<String, Value> values(Map<String, String> flags, Surroundings around) {
    Map<String, Value> merged = new TreeMap<>();
    addFile(merged, around.folder(), KNOWN);
    for (String name : KNOWN) {
      String variable = "SEMEL_" + name.toUpperCase(Locale.ROOT);
      if (!around.variable(variable).isEmpty()) {
        merged.put(name, new Value(around.variable(variable), variable));
      }
    }
    flags.forEach((name, text) -> merged.put(name, new Value(text, "command line")));
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

  private static void refuseServer(Optional<String> store, Surroundings around) {
    if (store.isEmpty() && !around.variable(SERVER).isEmpty()) {
      throw new InvalidInput(
          SERVER
              + " is set, but this version can't talk to a server yet: unset it, or name a store with --store");
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
