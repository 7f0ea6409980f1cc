package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.junit.ProjectRoot;
import dev.semel.testservices.TmuxTerminal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher in a test repository. Its Maven is a script that counts its calls and leaves a jar
 * that points to our classes. Its Java is a script too, if the command itself does not matter.
 */
@EnabledOnOs({OS.LINUX, OS.MAC})
class LauncherTest {
  private static final int USERS = 12;
  private static final int LIMIT_SECONDS = 120;
  private static final List<String> MODULES =
      List.of(
          "core", "engines/jdbc", "engines/kafka", "frameworks/spring-boot-starter", "apps/cli");

  /** The result of a build: our own modules with jars belong to the command, others do not. */
  private static final String BUILD =
      "mkdir -p apps/cli/target/lib && cp '%s' apps/cli/target/semel-cli.jar"
          + " && touch apps/cli/target/lib/semel-core-0.1.0-SNAPSHOT.jar"
          + " apps/cli/target/lib/semel-jdbc-1.0.jar apps/cli/target/lib/semel-kafka-1.0.jar";

  /** Maven's output about two modules that it builds at the same time. */
  private static final List<String> SAID =
      List.of(
          "[INFO] Reactor Build Order:",
          "[INFO] -----------------------------< dev.semel:semel >-----------------------------",
          "[INFO] Building Semel 0.1.0-SNAPSHOT                                     [1/3]",
          "[INFO] -------------------------< dev.semel:semel-core >--------------------------",
          "[INFO] --------------------------< dev.semel:semel-cli >--------------------------",
          "[INFO] Building Semel command 0.1.0-SNAPSHOT                             [3/3]",
          "[INFO] Building Semel core 0.1.0-SNAPSHOT                                [2/3]",
          "[INFO] Building jar: semel-cli.jar");

  @TempDir Path folder;
  private Path root;
  private Path tools;
  private Path javaHome = Path.of(System.getProperty("java.home"));

  @BeforeEach
  void makeRepository() throws IOException {
    root = folder.resolve("a repository");
    tools = folder.resolve("tools");
    for (String module : MODULES) {
      Files.createDirectories(root.resolve(module).resolve("src/main"));
      Files.writeString(
          root.resolve(module).resolve("pom.xml"),
          """
          <project>
            <parent>
              <artifactId>semel</artifactId>
            </parent>
            <artifactId>%s</artifactId>
            <dependency>
              <artifactId>another</artifactId>
            </dependency>
          </project>
          """
              .formatted("semel-" + Path.of(module).getFileName()));
    }
    rootPom(MODULES);
    Files.copy(ProjectRoot.resolve("semel"), root.resolve("semel"));
    Path launcher = Files.createDirectories(root.resolve("apps/cli/src/main/launcher"));
    for (String shared : List.of("start.sh", "build.sh")) {
      Files.copy(Path.of("src/main/launcher", shared), launcher.resolve(shared));
    }
    executable(root.resolve("semel"));
    Files.createDirectories(tools);
    ClassesJar.make(folder.resolve("ours.jar"));
    maven(BUILD);
  }

  private void rootPom(List<String> modules) throws IOException {
    StringBuilder pom = new StringBuilder("<project>\n  <modules>\n");
    modules.forEach(module -> pom.append("    <module>" + module + "</module>\n"));
    Files.writeString(root.resolve("pom.xml"), pom.append("  </modules>\n</project>\n"));
  }

  private void maven(String thenDo) throws IOException {
    Path mvn = tools.resolve("mvn");
    Files.writeString(
        mvn,
        "#!/bin/sh\necho \"$*\" >> '%s'\n%s\n"
            .formatted(calls(), thenDo.formatted(folder.resolve("ours.jar"))));
    executable(mvn);
  }

  /** Prints the command's version, whatever its arguments are. */
  private void fakeJava() throws IOException {
    javaHome = Files.createDirectories(folder.resolve("a jdk"));
    Path java = Files.createDirectories(javaHome.resolve("bin")).resolve("java");
    Files.writeString(javaHome.resolve("release"), "JAVA_VERSION=\"25.0.3\"\n");
    Files.writeString(java, "#!/bin/sh\necho semel of a script\n");
    executable(java);
  }

  private static void executable(Path file) {
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Path calls() {
    return folder.resolve("calls");
  }

  private List<String> builds() throws IOException {
    return Files.exists(calls()) ? Files.readAllLines(calls()) : List.of();
  }

  private Process start(Path launcher, String... args) throws IOException {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("SEMEL_"));
    builder.environment().put("SEMEL_DATA", folder.resolve("data").toString());
    builder.environment().put("JAVA_HOME", javaHome.toString());
    builder.environment().merge("PATH", "", (path, none) -> tools + ":" + path);
    builder.directory(folder.toFile());
    builder.redirectError(Files.createTempFile(folder, "err", ".txt").toFile());
    return builder.start();
  }

  private static String out(Process process) throws IOException, InterruptedException {
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    return out;
  }

  @Test
  void twelveFirstUsersAtOnceBuildOnce() throws Exception {
    fakeJava();
    List<Process> users = new ArrayList<>();
    for (int i = 0; i < USERS; i++) {
      users.add(start(root.resolve("semel"), "--version"));
    }

    for (Process user : users) {
      assertThat(out(user)).startsWith("semel ");
      assertThat(user.exitValue()).isZero();
    }
    assertThat(builds()).singleElement().asString().contains("-pl :semel-cli -am package");
  }

  @Test
  void itIsBuiltAgainOnlyWhenASourceIsNewer() throws Exception {
    fakeJava();
    Path launcher = root.resolve("semel");
    Path source = Files.writeString(root.resolve("engines/jdbc/src/main/A.java"), "");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
    assertThat(out(start(launcher, "--version"))).startsWith("semel ");
    assertThat(out(start(launcher, "--version"))).startsWith("semel ");
    assertThat(builds()).hasSize(1);

    changed("frameworks/spring-boot-starter");
    assertThat(out(start(launcher, "--version"))).startsWith("semel ");
    assertThat(builds()).as("it is no part of the command").hasSize(1);

    for (String module : List.of("engines/jdbc", "engines/kafka", "core", "apps/cli")) {
      int before = builds().size();
      Path later = changed(module);
      assertThat(out(start(launcher, "--version"))).startsWith("semel ");
      assertThat(builds()).as(module).hasSize(before + 1);
      Files.delete(later);
    }
  }

  @Test
  @Tag("proof")
  void movedModuleIsStillNoticed() throws Exception {
    Path launcher = root.resolve("semel");
    assertThat(out(start(launcher, "--version"))).startsWith("semel ");
    assertThat(builds()).hasSize(1);

    Files.move(root.resolve("engines/jdbc"), root.resolve("engines/sql"));
    rootPom(List.of("core", "engines/sql", "engines/kafka", "apps/cli"));
    // As after unpacking an archive: everything is old.
    Files.setLastModifiedTime(
        root.resolve("pom.xml"), FileTime.from(Instant.now().minus(Duration.ofHours(1))));
    assertThat(out(start(launcher, "--version"))).startsWith("semel ");
    assertThat(builds()).as("it was moved").hasSize(2);
    assertThat(out(start(launcher, "--version"))).startsWith("semel ");
    assertThat(builds()).as("nothing has changed").hasSize(2);

    Path unused = changed("engines/sql");
    assertThat(out(start(launcher, "--version"))).startsWith("semel ");
    assertThat(builds()).as("it was changed where it is now").hasSize(3);
  }

  @Test
  @Tag("proof")
  void modulesOfAModuleAreNoticedToo() throws Exception {
    Path launcher = root.resolve("semel");
    Files.move(root.resolve("engines/jdbc"), root.resolve("engines/sql"));
    Files.writeString(
        root.resolve("engines/pom.xml"),
        "<project>\n<artifactId>engines</artifactId>\n<modules>\n<module>sql</module>\n<module>kafka</module>\n</modules>\n");
    rootPom(List.of("core", "engines", "apps/cli"));
    assertThat(out(start(launcher, "--version"))).startsWith("semel ");

    Path unused = changed("engines/sql");
    assertThat(out(start(launcher, "--version"))).startsWith("semel ");
    assertThat(builds()).hasSize(2);
  }

  private Path changed(String module) throws IOException {
    Path file = Files.writeString(root.resolve(module).resolve("src/main/B.java"), "");
    return Files.setLastModifiedTime(
        file, FileTime.from(Instant.now().plus(Duration.ofSeconds(2))));
  }

  @Test
  void itWorksFromAnywhereThroughALinkAndGivesTheCommandItsCallersLocaleBack() throws Exception {
    Path link = Files.createDirectories(folder.resolve("some where")).resolve("once");
    Files.createSymbolicLink(link, Path.of("../a repository/semel"));
    Path script = folder.resolve("in-c-locale");
    Files.writeString(
        script,
        "#!/bin/sh\nLC_ALL=C exec '%s' run --key 'é ö' -- sh -c 'cat; echo $SEMEL_KEY $LC_ALL'\n"
            .formatted(link));
    executable(script);

    Process process = start(script);
    process.getOutputStream().write("from stdin\n".getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();

    assertThat(out(process)).isEqualTo("from stdin\ndefault/run:é ö C\n");
    assertThat(archive()).as("what makes the next start quick").isNotEmptyFile();
  }

  private Path archive() throws IOException {
    try (var files = Files.newDirectoryStream(prepared(), "start-*")) {
      return files.iterator().next();
    }
  }

  private Path prepared() throws IOException {
    Path work = root.resolve("apps/cli/target/launcher");
    return work.resolve(Files.readString(work.resolve("current")).strip());
  }

  @Test
  void failedBuildShowsTheEndOfItsLogAndIsTriedAgain() throws Exception {
    fakeJava();
    maven("echo 'no such module'; exit 1");
    Process failed = start(root.resolve("semel"), "--version");

    assertThat(out(failed)).isEmpty();
    assertThat(failed.exitValue()).isEqualTo(1);
    assertThat(errors()).contains("no such module", "the build failed");

    maven(BUILD);
    assertThat(out(start(root.resolve("semel"), "--version"))).startsWith("semel ");
  }

  private static String says(List<String> lines) {
    StringBuilder script = new StringBuilder();
    lines.forEach(line -> script.append("echo '").append(line).append("'\n"));
    return script.toString();
  }

  @Test
  void whatIsBuiltIsShownWithoutATerminalLineByLine() throws Exception {
    maven(says(SAID) + BUILD);

    assertThat(out(start(root.resolve("semel"), "--version"))).startsWith("semel ").hasLineCount(1);
    assertThat(errors().lines().toList())
        .startsWith(
            "building Semel, first use only …",
            "[1/3] semel",
            "[2/3] semel-core",
            "[3/3] semel-cli")
        .hasSize(5);
    assertThat(errors()).containsPattern("\nbuilt Semel in [0-9]+ s\n$").doesNotContain("\033");
    assertThat(root.resolve("apps/cli/target/launcher/build.log"))
        .content()
        .isEqualTo(String.join("\n", SAID) + "\n");
  }

  @Test
  void buildGoesOnWhenMavenSaysSomethingElseAndNobodyReadsIt() throws Exception {
    maven(
        says(
                List.of(
                    "---< a:b >---",
                    "Building x [1/0]",
                    "Building x [1/y]",
                    "Building [1/09]",
                    "Downloaded from here",
                    "Building z [2/1]",
                    "---< c:%%s%%n\\ >---",
                    "---<  >---"))
            + BUILD);
    Path script = folder.resolve("unread");
    Files.writeString(
        script,
        "#!/bin/bash\nexec 2> >(:)\nwait $!\nexec '%s' --version\n"
            .formatted(root.resolve("semel")));
    executable(script);

    assertThat(out(start(script))).startsWith("semel ");
  }

  @Test
  void failedBuildShowsMavensErrorsAlone() throws Exception {
    maven(says(List.of("[INFO] noise", "[ERROR] A.java:[1,2] no such class", "more")) + "exit 1");
    Process failed = start(root.resolve("semel"), "--version");

    assertThat(out(failed)).isEmpty();
    assertThat(failed.exitValue()).isEqualTo(1);
    assertThat(errors())
        .contains("[ERROR] A.java:[1,2] no such class\nsemel: the build failed")
        .doesNotContain("noise", "more");
  }

  @Test
  @Tag("service")
  void whatIsBuiltIsShownInATerminalAsABar() throws IOException {
    Path go = folder.resolve("go");
    maven(
        says(SAID.subList(0, 4))
            + "until [ -e '"
            + go
            + "' ]; do sleep 0.1; done\n"
            + says(SAID.subList(4, SAID.size()))
            + BUILD);
    Map<String, String> environment =
        Map.of(
            "JAVA_HOME", System.getProperty("java.home"),
            "SEMEL_DATA", folder.resolve("data").toString());
    // A terminal's shell may set another PATH.
    String command = "PATH='%s':\"$PATH\" '%s' --version".formatted(tools, root.resolve("semel"));

    try (TmuxTerminal terminal = TmuxTerminal.start(80, 24, environment, command)) {
      await()
          .atMost(Duration.ofSeconds(LIMIT_SECONDS))
          .untilAsserted(
              () ->
                  assertThat(terminal.screen())
                      .contains("\n[########................] 2/3 semel-core\n"));
      Files.createFile(go);
      await()
          .atMost(Duration.ofSeconds(LIMIT_SECONDS))
          .until(() -> terminal.screen().contains("ended with 0"));
      assertThat(terminal.screen())
          .containsPattern(
              "^building Semel, first use only …\nbuilt Semel in [0-9]+ s\nsemel [^\n]*\nended");
    }
  }

  private String errors() throws IOException {
    StringBuilder all = new StringBuilder();
    try (var files = Files.newDirectoryStream(folder, "err*.txt")) {
      for (Path file : files) {
        all.append(Files.readString(file));
      }
    }
    return all.toString();
  }
}
