package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses {@code semel.yaml}: flat {@code key: value} lines, {@code #} comments. It refuses other
 * YAML instead of guessing.
 */
public final class SettingsFile {
  public static final String NAME = "semel.yaml";
  static final int MAX_BYTES = 64 << 10;

  private static final Pattern LINE = Pattern.compile("([A-Za-z0-9_.-]+)\\s*:(?:\\s+(.*))?");
  private static final Pattern QUOTED = Pattern.compile("(?:\"([^\"\\\\]*)\"|'([^']*)')\\s*(#.*)?");
  private static final Pattern COMMENT = Pattern.compile("(^|\\s)#.*$");

  private SettingsFile() {}

  /** The settings in that folder's file; empty if there is no file. */
  public static Map<String, String> read(Path folder, Set<String> known) {
    Path file = folder.resolve(NAME);
    Map<String, String> settings = new LinkedHashMap<>();
    List<String> lines = lines(file);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#") && !line.equals("---")) {
        String where = "%s line %d".formatted(PrintableText.safe(file.toString()), i + 1);
        add(settings, lines.get(i).stripTrailing(), known, where);
      }
    }
    return settings;
  }

  private static List<String> lines(Path file) {
    try {
      if (Files.isRegularFile(file) && Files.size(file) > MAX_BYTES) {
        throw new InvalidInput("%s is larger than %d bytes".formatted(file, MAX_BYTES));
      }
      return Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (MalformedInputException e) {
      throw new InvalidInput(file + " is not valid UTF-8");
    } catch (IOException e) {
      throw new InvalidInput("%s can't be read: %s".formatted(file, e.getMessage()));
    }
  }

  private static void add(
      Map<String, String> settings, String line, Set<String> known, String where) {
    Matcher m = LINE.matcher(line);
    if (!m.matches()) {
      // Omits the line, which may hold a password.
      throw new InvalidInput(
          "%s: expected \"key: value\", with a blank after the colon".formatted(where));
    }
    String key = m.group(1);
    // The command checks its options when it runs.
    if (!known.contains(key) && !CommandSettings.ofACommand(key)) {
      throw new InvalidInput(
          "%s: there is no setting %s; known are %s, gateway.OPTION and serve.OPTION"
              .formatted(
                  where, PrintableText.quoted(key), String.join(", ", new TreeSet<>(known))));
    }
    String value = value(m.group(2) == null ? "" : m.group(2).strip());
    if (value.isEmpty()) {
      throw new InvalidInput("%s: %s has no value".formatted(where, key));
    }
    if (settings.putIfAbsent(key, value) != null) {
      throw new InvalidInput("%s: %s is set twice".formatted(where, key));
    }
  }

  private static String value(String text) {
    Matcher quoted = QUOTED.matcher(text);
    if (quoted.matches()) {
      return quoted.group(1) == null ? quoted.group(2) : quoted.group(1);
    }
    return COMMENT.matcher(text).replaceFirst("").strip();
  }
}
