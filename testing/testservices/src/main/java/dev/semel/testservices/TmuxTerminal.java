package dev.semel.testservices;

import dev.semel.junit.TestProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A real terminal that runs a program, by tmux: a test presses keys and reads the screen. Uses the
 * installed tmux, or else Debian's package, which is downloaded once per user.
 */
public final class TmuxTerminal implements AutoCloseable {
  /** The library's name where it had an earlier ABI. */
  private static final Map<String, String> EVENT_LIBRARY =
      Map.of("bookworm", "libevent-core-2.1-7");

  private static final String LATER_EVENT_LIBRARY = "libevent-core-2.1-7t64";

  private final Path program;
  private final Path libraries;
  private final ScratchFolder scratch = new ScratchFolder("tmux");

  private TmuxTerminal(Path program, Path libraries) {
    this.program = program;
    this.libraries = libraries;
  }

  /**
   * Starts a shell command in a terminal of this size; the terminal stays open afterwards.
   *
   * @param environment additional environment variables
   */
  public static TmuxTerminal start(
      int columns, int rows, Map<String, String> environment, String command) {
    TmuxTerminal terminal = find();
    List<String> words =
        new ArrayList<>(List.of("-f", "/dev/null", "new-session", "-d", "-s", "semel"));
    words.addAll(List.of("-x", Integer.toString(columns), "-y", Integer.toString(rows)));
    environment.forEach((name, value) -> words.addAll(List.of("-e", name + "=" + value)));
    words.add(command + "; echo \"ended with $?\"; exec sleep 600");
    terminal.call(words.toArray(String[]::new));
    return terminal;
  }

  private static TmuxTerminal find() {
    String path = System.getenv("PATH");
    return Arrays.stream((path == null ? "" : path).split(File.pathSeparator))
        .map(folder -> Path.of(folder, "tmux"))
        .filter(Files::isExecutable)
        .findFirst()
        .map(file -> new TmuxTerminal(file, Path.of("/nonexistent")))
        .orElseGet(TmuxTerminal::downloaded);
  }

  private static TmuxTerminal downloaded() {
    try {
      Path folder =
          PreparedFiles.once(
              PreparedFiles.folder(),
              "tmux-" + DebianPackage.codename(),
              (place, last) -> download(place));
      return new TmuxTerminal(folder.resolve("tmux"), folder);
    } catch (IOException e) {
      throw new UncheckedIOException("there is no tmux", e);
    }
  }

  private static void download(Path place) throws IOException {
    Files.createDirectories(place);
    try (ScratchFolder scratch = new ScratchFolder("tmux-package")) {
      String suite = DebianPackage.codename();
      String events = EVENT_LIBRARY.getOrDefault(suite, LATER_EVENT_LIBRARY);
      Path files = DebianPackage.extract(List.of(events, "libutempter0", "tmux"), suite, scratch);
      try (Stream<Path> all = Files.walk(files)) {
        for (Path file : all.filter(Files::isRegularFile).toList()) {
          String name = file.getFileName().toString();
          if (name.equals("tmux") && Files.isExecutable(file)) {
            Files.copy(file, place.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
          } else if (name.contains(".so.")) {
            Files.copy(file, place.resolve(soname(name)), StandardCopyOption.REPLACE_EXISTING);
          }
        }
      }
    }
  }

  /** The name that programs link to: without the last two numbers of the version. */
  private static String soname(String file) {
    int so = file.indexOf(".so.") + ".so.".length();
    int dot = file.indexOf('.', so);
    return dot < 0 ? file : file.substring(0, dot);
  }

  /** Presses keys, by tmux's names for them: {@code k}, {@code Enter}, {@code C-r}. */
  public void press(String... keys) {
    for (String key : keys) {
      call("send-keys", "-t", "semel", key);
    }
  }

  /** Presses a key this many times, without a pause. */
  public void hold(String key, int times) {
    call("send-keys", "-N", Integer.toString(times), "-t", "semel", key);
  }

  /** The screen's text without styles. */
  public String screen() {
    return call("capture-pane", "-p", "-t", "semel");
  }

  /** The screen's text with colours, as escape sequences. */
  public String colours() {
    return call("capture-pane", "-p", "-e", "-t", "semel");
  }

  public void resize(int columns, int rows) {
    call(
        "resize-window",
        "-t",
        "semel",
        "-x",
        Integer.toString(columns),
        "-y",
        Integer.toString(rows));
  }

  private String call(String... words) {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    // A separate socket, so that no other tmux terminal is touched.
    command.addAll(List.of("-S", scratch.path("socket").toString(), "-u"));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().remove("TMUX");
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().put("LD_LIBRARY_PATH", libraries.toString());
    return TestProcess.run(builder);
  }

  /** Closes the terminal, and ends its program. */
  @Override
  public void close() {
    try {
      String unused = call("kill-server");
    } finally {
      scratch.close();
    }
  }
}
