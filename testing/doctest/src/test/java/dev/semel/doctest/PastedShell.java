package dev.semel.doctest;

import dev.semel.junit.TestProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * One bash that commands are pasted into. They come over its standard input, so a command that
 * reads what it should not is noticed: what is pasted behind it is missing.
 *
 * <p>Closing it ends everything that was started in it.
 */
final class PastedShell implements AutoCloseable {
  private static final List<String> BASH = List.of("bash", "--norc", "--noprofile");

  private final TestProcess bash;
  private int blocks;
  private int read;

  private PastedShell(TestProcess bash) {
    this.bash = bash;
  }

  /**
   * Starts it.
   *
   * @param environment what it adds to this process's; an empty value takes a variable away
   */
  static PastedShell in(Path folder, Map<String, String> environment) {
    ProcessBuilder builder = new ProcessBuilder(BASH).directory(folder.toFile());
    // Those of this build, and of the user.
    builder.environment().keySet().removeIf(PastedShell::isOfOthers);
    builder.environment().putAll(environment);
    builder.environment().values().removeIf(String::isEmpty);
    return new PastedShell(TestProcess.start(builder));
  }

  private static boolean isOfOthers(String variable) {
    return variable.startsWith("SEMEL_")
        || variable.startsWith("MAVEN_")
        || variable.equals("BASH_ENV");
  }

  /**
   * Pastes a block, and waits until its last command has ended.
   *
   * @return what it printed, on standard output and standard error
   */
  String paste(String commands, Duration limit) {
    blocks++;
    String end = "--- end of block " + blocks + "\n";
    type(commands + "echo '" + end.strip() + "'\n");
    try {
      Awaitility.await()
          .atMost(limit)
          .until(() -> bash.output().indexOf(end, read) >= 0 || !bash.isAlive());
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("it still runs:\n" + unread(), e);
    }
    String said = unread();
    int length = said.indexOf(end);
    if (length < 0) {
      throw new AssertionError("bash ended in the middle of it:\n" + said);
    }
    read += length + end.length();
    return said.substring(0, length);
  }

  private String unread() {
    return bash.output().substring(read);
  }

  private void type(String text) {
    try {
      OutputStream input = bash.input();
      input.write(text.getBytes(StandardCharsets.UTF_8));
      input.flush();
    } catch (IOException e) {
      throw new AssertionError("bash has ended:\n" + bash.output(), e);
    }
  }

  @Override
  public void close() {
    if (bash.isAlive()) {
      // It can start nothing more while its processes are counted.
      TestProcess.run("bash", "-c", "kill -STOP " + bash.pid());
    }
    List<ProcessHandle> started =
        ProcessHandle.of(bash.pid()).stream().flatMap(ProcessHandle::descendants).toList();
    bash.close();
    started.forEach(ProcessHandle::destroyForcibly);
    started.forEach(each -> each.onExit().join());
  }
}
