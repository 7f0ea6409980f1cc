package dev.semel.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.OSInfo;

/**
 * Runs the usual commands once in a temporary folder, so that the launcher can archive the classes
 * that they load. It also unpacks SQLite's native library, which the driver would otherwise do at
 * every start.
 */
public final class WarmUp {
  private static final List<List<String>> COMMANDS =
      List.of(
          List.of("--version"),
          List.of("run", "--key", "rehearsal", "--", "true"),
          List.of("run", "--key", "rehearsal", "--", "true"),
          List.of("run", "--key", "rehearsal", "--", "false"),
          List.of("keys", "list"),
          List.of("keys", "list", "-o", "json"),
          List.of("keys", "inspect", "rehearsal", "--payload"),
          List.of("keys", "release", "rehearsal", "-y"),
          List.of("stats"),
          List.of("tui", "--snapshot", "rehearsal.svg"),
          List.of("streams", "create", "rehearsal", "--type", "application/json"),
          List.of("streams", "append", "rehearsal"),
          List.of("streams", "read", "rehearsal"),
          List.of("streams", "list"));

  private WarmUp() {}

  /**
   * Runs everything.
   *
   * @param args the folder for the native library
   */
  public static void main(String[] args) throws IOException {
    layOutLibrary(Path.of(args[0]));
    try (TemporaryFolder folder = TemporaryFolder.create("semel-rehearsal")) {
      perform(folder.path());
    }
  }

  private static void perform(Path folder) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.keySet().removeIf(name -> name.startsWith("SEMEL_"));
    environment.put("SEMEL_DATA", folder.toString());
    PrintStream nowhere =
        new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    StandardStreams streams =
        new StandardStreams(InputStream.nullInputStream(), nowhere, nowhere, "");
    Environment around = new Environment(environment, folder, streams);
    for (List<String> command : COMMANDS) {
      int unused = SemelCommand.execute(around, command.toArray(new String[0]));
    }
  }

  private static void layOutLibrary(Path folder) throws IOException {
    String name = System.mapLibraryName("sqlitejdbc");
    String resource =
        "/org/sqlite/native/" + OSInfo.getNativeLibFolderPathForCurrentOS() + "/" + name;
    try (InputStream library = SQLiteJDBCLoader.class.getResourceAsStream(resource)) {
      if (library == null) {
        return; // the driver has other places
      }
      Files.createDirectories(folder);
      Path unfinished = folder.resolve(name + ".new");
      Files.write(unfinished, library.readAllBytes());
      Files.move(unfinished, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
