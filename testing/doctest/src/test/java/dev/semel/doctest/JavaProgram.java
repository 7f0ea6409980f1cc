package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs programs in processes of their own, by the Java that runs this test. */
final class JavaProgram {
  private static final long PATIENCE_SECONDS = 180;

  private JavaProgram() {}

  /** This test's class path, as it is seen from any folder. */
  static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(part -> Path.of(part).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** What the program writes, which must end well. */
  static String run(Path folder, String classPath, String... program)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath));
    command.addAll(List.of(program));
    return run(folder, command);
  }

  /** What any command writes, which must end well. */
  static String run(Path folder, List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "output", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly();
    }
    String written = Book.text(output);
    Files.delete(output);
    assertThat(ended && process.exitValue() == 0).as("%s%n%s", command.getLast(), written).isTrue();
    return written;
  }
}
