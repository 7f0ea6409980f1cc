package dev.semel.cli.operate;

import dev.semel.InvalidInput;
import dev.semel.cli.SettingsFile;
import dev.semel.internal.PrintableText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Edits the lines of a settings file. For one thread. */
final class SettingsText {
  private static final Pattern PLAIN = Pattern.compile("[^\\s\"'#][^#\"']*[^\\s#\"']|[^\\s\"'#]");

  private final List<String> lines;

  private SettingsText(List<String> lines) {
    this.lines = lines;
  }

  /** Has no lines if there is no file. */
  static SettingsText read(Path folder) {
    try {
      return new SettingsText(
          new ArrayList<>(Files.readAllLines(folder.resolve(SettingsFile.NAME))));
    } catch (NoSuchFileException e) {
      return new SettingsText(new ArrayList<>());
    } catch (IOException e) {
      throw new InvalidInput(
          "%s can't be read: %s".formatted(folder.resolve(SettingsFile.NAME), e.getMessage()));
    }
  }

  /** Changes the setting's line, or adds one; an empty value removes the line. */
  void set(String name, String value) {
    Pattern line = Pattern.compile(Pattern.quote(name) + "\\s*:.*");
    int at = 0;
    while (at < lines.size() && !line.matcher(lines.get(at)).matches()) {
      at++;
    }
    if (value.isEmpty()) {
      if (at < lines.size()) {
        lines.remove(at);
      }
      return;
    }
    String written = name + ": " + written(value);
    if (at < lines.size()) {
      lines.set(at, written);
    } else {
      lines.add(written);
    }
  }

  private static String written(String value) {
    if (!PrintableText.isSafe(value)) {
      throw new InvalidInput(
          "the value %s holds control characters".formatted(PrintableText.quoted(value)));
    }
    if (PLAIN.matcher(value).matches()) {
      return value;
    }
    if (value.indexOf('"') < 0 && value.indexOf('\\') < 0) {
      return '"' + value + '"';
    }
    if (value.indexOf('\'') < 0) {
      return "'" + value + "'";
    }
    throw new InvalidInput("a value with both kinds of quotation marks can't be written");
  }

  String text() {
    return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
  }
}
