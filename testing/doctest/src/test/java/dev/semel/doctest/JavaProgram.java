package dev.semel.doctest;

import dev.semel.junit.TestProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs programs in processes of their own, by the Java that runs this test. */
final class JavaProgram {
  private JavaProgram() {}

  /** This test's class path, as it is seen from any folder. */
  static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(part -> Path.of(part).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** What the program writes, which must end well. */
  static String run(Path folder, String classPath, String... program) {
    List<String> command = new ArrayList<>();
    command.add(TestProcess.tool("java"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath));
    command.addAll(List.of(program));
    return run(folder, command);
  }

  /** The command as the launcher starts it, of this test's classes: {@code semel} in a folder. */
  static Path semel(Path folder) {
    return script(
        folder.resolve("semel"),
        "exec '%s' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dsemel.command=./semel"
                .formatted(TestProcess.tool("java"))
            + " --enable-native-access=ALL-UNNAMED -cp '%s' dev.semel.cli.Main \"$@\"\n"
                .formatted(classPath()));
  }

  /** Writes a program for the shell. */
  static Path script(Path file, String text) {
    try {
      Files.writeString(file, "#!/bin/sh\n" + text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!file.toFile().setExecutable(true)) {
      throw new AssertionError(file + " can't be made executable");
    }
    return file;
  }

  /** What any command writes, which must end well. */
  static String run(Path folder, List<String> command) {
    return TestProcess.run(new ProcessBuilder(command).directory(folder.toFile()));
  }
}
