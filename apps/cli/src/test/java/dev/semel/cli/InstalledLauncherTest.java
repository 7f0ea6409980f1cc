package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The launcher of an unpacked distribution, in a folder with blanks in its path. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class InstalledLauncherTest {
  private static final int LIMIT_SECONDS = 60;
  private static final String PREPARING = "preparing Semel";

  @TempDir Path folder;
  private Path root;
  private Path cache;

  @BeforeEach
  void unpack() throws IOException {
    root = folder.resolve("some where/semel 1.0");
    cache = folder.resolve("a cache");
    Files.createDirectories(root.resolve("bin"));
    Files.createDirectories(root.resolve("lib"));
    Files.copy(Path.of("src/main/launcher/semel"), root.resolve("bin/semel"));
    executable(root.resolve("bin/semel"));
    Files.copy(Path.of("src/main/launcher/start.sh"), root.resolve("lib/start.sh"));
    Files.writeString(root.resolve("SHA256SUMS"), "12ab  semel-cli.jar\n");
    ClassesJar.make(root.resolve("semel-cli.jar"));
    // A distribution needs no Maven.
    script(folder.resolve("tools/mvn"), "echo called >> '%s'".formatted(calls()));
  }

  private static void script(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    executable(file);
  }

  private static void executable(Path file) {
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Path calls() {
    return folder.resolve("calls");
  }

  private record Run(int code, String out, String err) {}

  private Run run(Path launcher, String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("SEMEL_"));
    builder.environment().put("SEMEL_DATA", folder.resolve("data").toString());
    builder.environment().put("XDG_CACHE_HOME", cache.toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().merge("PATH", "", (path, none) -> folder.resolve("tools") + ":" + path);
    builder.directory(folder.toFile());
    Path out = Files.createTempFile(folder, "out", ".txt");
    Path err = Files.createTempFile(folder, "err", ".txt");
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    process.getOutputStream().close();
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("still running: " + Files.readString(err));
    }
    return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  private Path launcher() {
    return root.resolve("bin/semel");
  }

  @Test
  void itStartsThroughALinkAndWithoutMaven() throws Exception {
    Path link = Files.createDirectories(folder.resolve("on the path")).resolve("once");
    Files.createSymbolicLink(link, Path.of("../some where/semel 1.0/bin/semel"));
    Files.writeString(cache, "not a folder"); // preparation takes long, and has a test below

    Run run = run(link, "run", "--key", "é ö", "--", "sh", "-c", "echo \"$SEMEL_KEY\"");

    assertThat(run.out()).isEqualTo("default/run:é ö\n");
    assertThat(run.code()).isZero();
    assertThat(calls()).doesNotExist();
    assertThat(root.resolve("prepared")).as("nothing is written there").doesNotExist();
  }

  /**
   * Uses a script as Java, which records its arguments, and creates every archive that it should.
   */
  @Nested
  class WithARuntime {
    @BeforeEach
    void addRuntime() throws IOException {
      Files.createDirectories(root.resolve("runtime"));
      Files.writeString(root.resolve("runtime/release"), "JAVA_VERSION=\"25.0.3\"\n");
      script(
          root.resolve("runtime/bin/java"),
          "for word; do case $word in -XX:AOTCache=*.new) : ; echo x > \"${word#*=}\" ;; esac; done; echo \"$@\"");
    }

    @Test
    void itIsTakenBeforeAnyOtherJava() throws Exception {
      assertThat(run(launcher(), "stats").out()).contains("dev.semel.cli.Main stats");
    }

    @Test
    void whatIsPreparedIsUsedUntilTheJarsAreOthers() throws Exception {
      Run first = run(launcher(), "stats");
      assertThat(first.err()).contains(PREPARING);
      assertThat(first.out()).contains("-XX:AOTCache=" + cache);
      assertThat(run(launcher(), "stats").err()).isEmpty();

      Files.writeString(root.resolve("SHA256SUMS"), "34cd  semel-cli.jar\n");
      assertThat(run(launcher(), "stats").err()).contains(PREPARING);
      assertThat(run(launcher(), "stats").err()).isEmpty();
    }

    @Test
    void whatCameWithTheRuntimeIsUsed() throws Exception {
      Files.createDirectories(root.resolve("prepared"));
      Files.writeString(root.resolve("prepared/start"), "x");

      Run run = run(launcher(), "stats");

      assertThat(run.out()).contains("-XX:AOTCache=" + root.toRealPath() + "/prepared/start");
      assertThat(run.err()).isEmpty();
      assertThat(cache).doesNotExist();
    }

    @Test
    void whereNothingCanBeWrittenItStartsWithout() throws Exception {
      Files.writeString(cache, "not a folder");

      Run run = run(launcher(), "stats");

      assertThat(run.code()).isZero();
      assertThat(run.out()).contains("dev.semel.cli.Main stats").doesNotContain("AOTCache");
      assertThat(run.err()).isEmpty();
    }

    @Test
    void serverPreparesNothingAndHasFlagsOfItsOwn() throws Exception {
      Run run = run(launcher(), "serve", "--port", "0");

      assertThat(run.out()).contains("-XX:+ExitOnOutOfMemoryError").doesNotContain("AOTCache");
      assertThat(run.err()).isEmpty();
      assertThat(cache).doesNotExist();
    }
  }
}
