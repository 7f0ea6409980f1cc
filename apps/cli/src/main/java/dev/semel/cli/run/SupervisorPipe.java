package dev.semel.cli.run;

import dev.semel.cli.Environment;
import dev.semel.cli.ExitCode;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A pipe to the processes beside a command. Only this process can write to it, so the pipe's end
 * shows them ours, even after {@code kill -9}. The scripts {@code run.sh} and {@code watch.sh} read
 * it.
 */
final class SupervisorPipe implements AutoCloseable {
  private static final String PIPE = "line";
  private static final String FAILED = "failed";
  private static final String DONE = "done";

  /** Names that a shell passes on; other variables are passed by {@code env}. */
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** Variables that shells set, or that we set for perl. */
  private static final List<String> SET_ON_THE_WAY =
      List.of("PWD", "OLDPWD", "SHLVL", "PERL_BADLANG");

  /** Works even if the caller's path has no tools. */
  private static final String MAKE = "PATH=$PATH:/usr/bin:/bin; exec mkfifo -m 600 \"$1\"";

  private static final String LEAD_GROUP = "setpgrp(0, 0); exec {$ARGV[0]} @ARGV";

  private final Path folder;
  private final RandomAccessFile pipe;
  private boolean gone;
  private boolean closed;
  private boolean began;

  private SupervisorPipe(Path folder, RandomAccessFile pipe) {
    this.folder = folder;
    this.pipe = pipe;
  }

  static SupervisorPipe open() throws IOException {
    Path folder = Files.createTempDirectory("semel-run");
    try {
      Path file = folder.resolve(PIPE);
      make(file);
      // For both directions, because opening for writing alone waits for a reader.
      return new SupervisorPipe(folder, new RandomAccessFile(file.toFile(), "rw"));
    } catch (IOException e) {
      delete(folder);
      throw e;
    }
  }

  private static void make(Path file) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", MAKE, "sh", file.toString());
    Process making = builder.redirectErrorStream(true).start();
    try (InputStream said = making.getInputStream()) {
      String text = new String(said.readAllBytes(), StandardCharsets.UTF_8);
      if (making.waitFor() != 0) {
        throw new IOException(text.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Makes the builder start a process that holds this pipe and becomes the command. */
  void hold(ProcessBuilder builder, GuardedCommand command, Environment around) throws IOException {
    String outside =
        List.of("setsid", "perl").stream()
            .filter(each -> new GuardedCommand(List.of(each)).startable(around) == ExitCode.OK)
            .findFirst()
            .orElse("");
    boolean own = !outside.isEmpty() && !hasTerminal();
    List<String> words = new ArrayList<>();
    if (own) {
      words.addAll(outside.equals("perl") ? List.of(outside, "-e", LEAD_GROUP) : List.of(outside));
    }
    Map<String, String> environment = builder.environment();
    String foreign =
        String.join(
            " ", SET_ON_THE_WAY.stream().filter(each -> !environment.containsKey(each)).toList());
    words.addAll(
        List.of(
            "/bin/sh",
            "-c",
            script("run.sh"),
            "semel-run",
            folder.toString(),
            script("watch.sh"),
            own ? "own" : "shared",
            outside,
            foreign));
    List<String> unusual =
        environment.entrySet().stream()
            .filter(each -> !IDENTIFIER.matcher(each.getKey()).matches())
            .map(each -> each.getKey() + "=" + each.getValue())
            .toList();
    if (!unusual.isEmpty()) {
      words.add("/usr/bin/env");
      words.addAll(unusual);
    }
    words.addAll(command.words());
    environment.putIfAbsent("PERL_BADLANG", "0"); // perl need not complain about a missing locale
    builder.command(words);
  }

  /**
   * On a terminal the command stays in our process group: in another one it could not read from the
   * terminal, and Ctrl-C would not reach it.
   */
  private static boolean hasTerminal() {
    try {
      new FileInputStream("/dev/tty").close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** A script of this package, after the part that all scripts need. */
  static String script(String name) throws IOException {
    return text("processes.sh") + text(name);
  }

  private static String text(String name) throws IOException {
    try (InputStream in = SupervisorPipe.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new NoSuchFileException(name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  synchronized void go(int attempt) throws IOException {
    gone = true;
    pipe.write((attempt + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Called when the process has ended.
   *
   * @return whether it had become the command
   */
  synchronized boolean ended() throws IOException {
    if (!closed) {
      began = !unread() && !Files.exists(folder.resolve(FAILED));
      close();
    }
    return began;
  }

  /** A process that has not read its start signal ended as something else than the command. */
  private boolean unread() throws IOException {
    return new FileInputStream(pipe.getFD()).available() > 0;
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (pipe) {
      if (gone) {
        pipe.write((DONE + "\n").getBytes(StandardCharsets.UTF_8));
      }
      delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) throws IOException {
    for (String each : List.of(PIPE, FAILED)) {
      Files.deleteIfExists(folder.resolve(each));
    }
    Files.deleteIfExists(folder);
  }
}
