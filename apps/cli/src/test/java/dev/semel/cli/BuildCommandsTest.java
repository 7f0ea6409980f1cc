package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.junit.ProjectRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The builds that our pages describe, with a real Maven in a copy of the sources. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class BuildCommandsTest {
  private static final int LIMIT_MINUTES = 60;

  @TempDir Path folder;

  private Path copy() {
    return ProjectRoot.copyTo(folder.resolve("sources"));
  }

  /**
   * Runs Maven, which must succeed.
   *
   * @param environment variables to set; an empty value removes the variable
   */
  private void maven(Path place, Map<String, String> environment, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("mvn", "-B", "-ntp"));
    String repository = System.getProperty("localRepository");
    if (repository != null) {
      command.add("-Dmaven.repo.local=" + repository);
    }
    command.addAll(List.of(words));
    run(place, environment, command);
  }

  /** Runs a command, which must succeed. */
  private void run(Path place, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    ProcessBuilder builder = new ProcessBuilder(command).directory(place.toFile());
    // Variables of the Maven that runs this test.
    builder.environment().keySet().removeIf(name -> name.startsWith("MAVEN_"));
    builder.environment().putAll(environment);
    builder.environment().values().removeIf(String::isEmpty);
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertThat(process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(() -> errors(log)).isZero();
  }

  private static String errors(Path log) {
    try {
      return Files.readAllLines(log).stream()
          .filter(line -> line.startsWith("[ERROR]"))
          .reduce("", (all, line) -> all + "\n" + line);
    } catch (IOException e) {
      return "nothing is known of it: " + e;
    }
  }

  /** A PATH with a java that is too old for anything. */
  private String pathWithAnOldJava() throws IOException {
    Path java = Files.createDirectories(folder.resolve("tools")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho 'UnsupportedClassVersionError' >&2\nexit 1\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    return java.getParent() + ":" + System.getenv("PATH");
  }

  @Test
  @Tag("proof")
  void distributionIsBuiltWithMavensJavaWhateverIsOnThePath() throws Exception {
    Path sources = copy();
    String java = System.getProperty("java.home");

    distribution(sources, Map.of("JAVA_HOME", java, "PATH", pathWithAnOldJava()));
  }

  /** If the machine's java is older, the build finds another one. */
  @Test
  @Tag("proof")
  void distributionIsBuiltWhereNothingIsSaidOfJava() throws Exception {
    distribution(copy(), Map.of("JAVA_HOME", ""));
  }

  private void distribution(Path sources, Map<String, String> environment)
      throws IOException, InterruptedException {
    maven(sources, environment, "-Pdist,quick", "package", "-pl", ":semel-cli", "-am");

    Path target = sources.resolve("apps/cli/target");
    assertThat(target.resolve("completion/semel.bash")).content().contains("complete -F");
    assertThat(target.resolve("completion/semel.fish")).content().contains("complete -c");
    try (var archives = Files.newDirectoryStream(target, "semel-*.tar.gz")) {
      assertThat(archives).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Pquick",
        "-Pquick -DskipTests",
        // All checks take long, so only on the modules that all others need.
        "-DskipTests -pl :semel-tck -am",
        "-Dmaven.test.skip=true -pl :semel-tck -am"
      })
  @Tag("proof")
  void modulesAreInstalledWithoutTheirTests(String options) throws Exception {
    List<String> words = new ArrayList<>(List.of(options.split(" ", -1)));
    // Everything but the last step, which would install them into the user's repository.
    words.addAll(List.of("install", "-Dmaven.install.skip=true"));
    Path sources = copy();

    maven(sources, Map.of(), words.toArray(String[]::new));

    assertThat(sources.resolve("core/target/semel-core-0.1.0-SNAPSHOT.jar")).exists();
  }

  /** A race starts services, which need all that they use on the class path of a plain JVM. */
  @Test
  @Tag("proof")
  void aRaceOnARealServiceRuns() throws Exception {
    Path sources = copy();

    run(sources, Map.of(), List.of(sources + "/benchmarks/run", "--quick", "postgres"));
  }

  /** The PATH decides which program a bare name runs, unless there is a toolchain. */
  @Test
  void javaThatABuildRunsIsAToolchains() throws IOException {
    String pom = Files.readString(Path.of("pom.xml"));

    assertThat(pom).contains("<executable>java</executable>");
    assertThat(pom.indexOf("<useJdk>Never</useJdk>"))
        .isBetween(pom.indexOf("<id>dist</id>"), pom.indexOf("<executable>java</executable>"));
  }
}
