package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.junit.ProjectRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Published jars as modules: each has a stable name, and no package is in two of them. */
final class ModuleNamesTest {
  private static final int MODULE_DEPTH = 3;
  private static final Pattern NAME =
      Pattern.compile("<semel\\.module\\.name>(.*?)</semel\\.module\\.name>");

  private static List<Path> published() throws IOException {
    try (Stream<Path> poms =
        Files.find(
            ProjectRoot.path(), MODULE_DEPTH, (file, a) -> file.endsWith(Path.of("pom.xml")))) {
      return poms.filter(pom -> Files.isDirectory(pom.resolveSibling("src/main/java")))
          .filter(pom -> !text(pom).contains("<maven.deploy.skip>true</maven.deploy.skip>"))
          .map(Path::getParent)
          .sorted()
          .toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Optional<String> name(Path module) {
    Matcher found = NAME.matcher(text(module.resolve("pom.xml")));
    return found.find() ? Optional.of(found.group(1)) : Optional.empty();
  }

  private static List<String> packages(Path module) throws IOException {
    Path root = module.resolve("src/main/java");
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(file -> root.relativize(file.getParent()).toString().replace('/', '.'))
          .distinct()
          .toList();
    }
  }

  @Test
  void eachPublishedModuleIsNamedLikeItsRootPackage() throws IOException {
    assertThat(published()).hasSizeGreaterThan(10);
    for (Path module : published()) {
      assertThat(name(module)).as(module + " has semel.module.name in its POM").isPresent();
      assertThat(packages(module))
          .as(module.toString())
          .allMatch(each -> (each + ".").startsWith(name(module).orElseThrow() + "."));
    }
    assertThat(published().stream().map(module -> name(module).orElseThrow()))
        .doesNotHaveDuplicates();
  }

  /** Such jars can't be on one module path. */
  @Test
  void noPackageIsInTwoModules() throws IOException {
    Map<String, Path> owners = new TreeMap<>();
    for (Path module : published()) {
      for (String each : packages(module)) {
        assertThat(owners.put(each, module)).as(each + " of " + module).isNull();
      }
    }
  }
}
