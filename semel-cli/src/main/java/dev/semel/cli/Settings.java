package dev.semel.cli;

import dev.semel.InvalidInput;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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

  /** Names a server, which this version has not. */
  private static final String SERVER = "SEMEL_URL";

  private static final Set<String> KNOWN = Set.of(DATA, STORE, OUTPUT, LOG);
  private static final Set<String> KNOWN_IN_DATA_FOLDER = Set.of(STORE, OUTPUT, LOG);

  /**
   * @param flags what was given on the command line, by setting
   */
  static Settings resolve(Map<String, String> flags, Surroundings around) {
    Map<String, String> merged = new HashMap<>(SettingsFile.read(around.folder(), KNOWN));
    for (String name : KNOWN) {
      String variable = around.variable("SEMEL_" + name.toUpperCase(Locale.ROOT));
      if (!variable.isEmpty()) {
        merged.put(name, variable);
      }
    }
    merged.putAll(flags);
    Path data = merged.containsKey(DATA) ? folder(around, merged.get(DATA)) : around.userData();
    if (!data.equals(around.folder())) {
      SettingsFile.read(data, KNOWN_IN_DATA_FOLDER).forEach(merged::putIfAbsent);
    }
    Optional<String> store = Optional.ofNullable(merged.get(STORE));
    refuseServer(store, around);
    return new Settings(
        store,
        data,
        Format.parse(merged.getOrDefault(OUTPUT, "table")),
        log(merged.getOrDefault(LOG, "off")));
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
