package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.junit.ProjectRoot;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The README's program, in an empty Maven project with the README's dependencies and nothing else.
 * Semel comes from what this build has compiled; the user's own repository is only read.
 */
@Tag("service") // a real Maven resolves them
@EnabledOnOs({OS.LINUX, OS.MAC})
class FreshProjectTest {
  private static final Pattern DEPENDENCY =
      Pattern.compile("(?s)<groupId>(.*?)<.*?<artifactId>(.*?)<.*?<version>(.*?)<");
  private static final Pattern GRADLE =
      Pattern.compile("(?:implementation|runtimeOnly)\\(\"(.*?)\"\\)");
  private static final Pattern PLUGIN =
      Pattern.compile("<artifactId>maven-dependency-plugin</artifactId>\\s*<version>(.*?)<");

  @TempDir Path folder;

  @Test
  void theProgramOfTheReadmeRunsWithTheDependenciesOfTheReadme() throws Exception {
    Page readme = Book.page("README.md");
    String classPath = resolved(block(readme, "xml"));
    assertThat(classPath).contains("semel-core", "semel-jdbc", "sqlite-jdbc");
    assertThat(classPath).doesNotContain(Book.ROOT.toString());
    Files.writeString(folder.resolve("Pay.java"), block(readme, "java"));

    assertThat(JavaProgram.run(folder, classPath, "Pay.java")).isEqualTo("paid: receipt 1\n");
    assertThat(JavaProgram.run(folder, classPath, "Pay.java"))
        .isEqualTo("paid before: receipt 1\n");

    assertAsksFor("dev.semel:semel-redis", "redis://localhost", classPath);
    assertAsksFor("org.postgresql:postgresql", "postgresql://me@localhost/shop", classPath);
    assertAsksFor("org.mariadb.jdbc:mariadb-java-client", "mariadb://me@localhost/shop", classPath);
    assertAsksFor("org.xerial:sqlite-jdbc", "sqlite:semel.db", without("sqlite-jdbc", classPath));
    assertAsksFor("dev.semel:semel-jdbc", "sqlite:semel.db", without("semel-jdbc", classPath));
  }

  /** A program without one of them is told what to add. */
  private void assertAsksFor(String artifact, String url, String classPath) throws IOException {
    Path place = Files.createTempDirectory(folder, "missing");
    Files.writeString(
        place.resolve("Pay.java"),
        block(Book.page("README.md"), "java").replace("sqlite:semel.db", url));
    assertThatThrownBy(() -> JavaProgram.run(place, classPath, "Pay.java"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("InvalidInput")
        .hasMessageContaining("add the artifact " + artifact);
  }

  private static String without(String artifact, String classPath) {
    return Stream.of(classPath.split(File.pathSeparator, -1))
        .filter(entry -> !entry.contains(artifact))
        .collect(Collectors.joining(File.pathSeparator));
  }

  @Test
  void gradleIsToldTheSameAsMaven() {
    Page readme = Book.page("README.md");
    List<String> maven =
        DEPENDENCY
            .matcher(block(readme, "xml"))
            .results()
            .map(found -> found.group(1) + ":" + found.group(2) + ":" + found.group(3))
            .toList();
    assertThat(GRADLE.matcher(block(readme, "kts")).results().map(found -> found.group(1)))
        .containsExactlyElementsOf(maven);
  }

  private static String block(Page page, String language) {
    return page.fences().stream()
        .filter(fence -> fence.language().equals(language))
        .findFirst()
        .orElseThrow()
        .text();
  }

  /** The class path that Maven makes of these dependencies. */
  private String resolved(String dependencies) throws Exception {
    Files.writeString(
        folder.resolve("pom.xml"),
        """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>my.shop</groupId>
          <artifactId>shop</artifactId>
          <version>1</version>
          <dependencies>%s</dependencies>
        </project>
        """
            .formatted(dependencies));
    Path settings = folder.resolve("settings.xml");
    // What this build has downloaded; nothing is written there.
    Files.writeString(settings, settings(reactor(), MavenRepository.known()));
    Path output = folder.resolve("classpath.txt");
    JavaProgram.run(
        folder,
        List.of(
            "mvn",
            "-B",
            "-ntp",
            "-q",
            "-s",
            settings.toString(),
            "org.apache.maven.plugins:maven-dependency-plugin:%s:build-classpath"
                .formatted(group(PLUGIN, Book.text(Book.ROOT.resolve("pom.xml")))),
            "-Dmdep.outputFile=" + output));
    return Book.text(output);
  }

  private static String group(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    assertThat(found.find()).as(pattern.pattern()).isTrue();
    return found.group(1);
  }

  private String settings(Path... repositories) {
    StringBuilder listed = new StringBuilder();
    StringBuilder plugins = new StringBuilder();
    for (Path repository : repositories) {
      String place =
          "<id>%s</id><url>%s</url><releases><checksumPolicy>ignore</checksumPolicy></releases>"
              .formatted(repository.getFileName(), repository.toUri());
      listed.append("<repository>").append(place).append("</repository>");
      plugins.append("<pluginRepository>").append(place).append("</pluginRepository>");
    }
    return """
        <settings>
          <localRepository>%s</localRepository>
          <profiles><profile><id>here</id>
            <repositories>%s</repositories>
            <pluginRepositories>%s</pluginRepositories>
          </profile></profiles>
          <activeProfiles><activeProfile>here</activeProfile></activeProfiles>
        </settings>
        """
        .formatted(folder.resolve("local"), listed, plugins);
  }

  /** A repository of what this build has made. */
  private Path reactor() throws IOException {
    Path repository = Files.createDirectory(folder.resolve("reactor"));
    String version =
        group(Pattern.compile("<version>(.*?)<"), Book.text(Book.ROOT.resolve("pom.xml")));
    List<Path> poms = new ArrayList<>(List.of(Book.ROOT.resolve("pom.xml")));
    Pattern.compile("<module>(.*?)</module>")
        .matcher(Book.text(poms.getFirst()))
        .results()
        .map(MatchResult::group)
        .map(module -> module.replaceAll("</?module>", ""))
        .forEach(module -> poms.add(Book.ROOT.resolve(module).resolve("pom.xml")));
    for (Path pom : poms) {
      Path there = place(repository, ProjectRoot.artifactOf(pom), version, "pom");
      Files.createDirectories(there.getParent());
      Files.copy(pom, there);
    }
    for (String artifact : List.of("semel-core", "semel-jdbc")) {
      jar(classes(artifact), place(repository, artifact, version, "jar"));
    }
    return repository;
  }

  private static Path place(Path repository, String artifact, String version, String type) {
    return repository.resolve(
        "dev/semel/%1$s/%2$s/%1$s-%2$s.%3$s".formatted(artifact, version, type));
  }

  /**
   * Where this test has the module from: a folder of classes, or a jar, by how far the build is.
   */
  private static Path classes(String artifact) {
    Path target = ProjectRoot.module(artifact).resolve("target");
    return Stream.of(JavaProgram.classPath().split(File.pathSeparator, -1))
        .map(Path::of)
        .filter(entry -> entry.startsWith(target))
        .findFirst()
        .orElseThrow(() -> new AssertionError(artifact + " is not of this build"));
  }

  private static void jar(Path classes, Path jar) throws IOException {
    if (!Files.isDirectory(classes)) {
      Files.copy(classes, jar);
      return;
    }
    ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
    int status =
        tool.run(
            System.out,
            System.err,
            "--create",
            "--file",
            jar.toString(),
            "-C",
            classes.toString(),
            ".");
    assertThat(status).isZero();
  }
}
