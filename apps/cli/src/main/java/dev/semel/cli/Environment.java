package dev.semel.cli;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** The process's environment when a command starts. */
public record Environment(
    Map<String, String> environment,
    Path folder,
    StandardStreams streams,
    ShutdownSignal shutdown) {
  public Environment(Map<String, String> environment, Path folder, StandardStreams streams) {
    this(environment, folder, streams, ShutdownSignal.OF_PROCESS);
  }

  static Environment ofProcess() {
    return new Environment(
        System.getenv(), Path.of("").toAbsolutePath(), StandardStreams.ofProcess());
  }

  /** Omits the environment: passwords and tokens are in it. */
  @Override
  public String toString() {
    return "Surroundings[" + folder + "]";
  }

  /** An environment variable; an empty one counts as not set. */
  public String variable(String name) {
    return environment.getOrDefault(name, "");
  }

  boolean debug() {
    return variable("SEMEL_DEBUG").equals("1");
  }

  /** The name to show in hints; the launcher sets it. */
  String command() {
    String called = System.getProperty("semel.command", "semel");
    int slash = called.lastIndexOf('/');
    boolean onPath =
        slash > 0
            && (":" + variable("PATH") + ":").contains(":" + called.substring(0, slash) + ":");
    return onPath ? called.substring(slash + 1) : ShellWord.of(called);
  }

  /** The folder for this user's application data, by the operating system's convention. */
  Path userData() {
    String xdg = variable("XDG_DATA_HOME");
    if (xdg.startsWith("/")) {
      return Path.of(xdg, "semel");
    }
    String home = variable("HOME");
    Path base = Path.of(home.isEmpty() ? System.getProperty("user.home", "") : home);
    boolean mac = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("mac");
    return mac
        ? base.resolve(Path.of("Library", "Application Support", "semel"))
        : base.resolve(Path.of(".local", "share", "semel"));
  }
}
