package dev.semel.junit.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.junit.ProjectRoot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds the list of parts to the sources: Maven would run a class that is tagged and not listed,
 * {@code ./proof} would not.
 */
class PartsListTest {
  private static final Path ROOT = ProjectRoot.path();
  private static final Pattern SOURCE = Pattern.compile("(.+)/src/(test|main)/java/.+\\.java");
  private static final Pattern TAG = Pattern.compile("^ *@Tag\\(\"proof\"\\)", Pattern.MULTILINE);
  private static final Pattern ABSTRACT =
      Pattern.compile("^(public )?abstract class ", Pattern.MULTILINE);
  private static final Pattern EXTENDS = Pattern.compile("\\bextends (\\w+)");

  @Test
  void everyClassOfTheSecondRingIsListedOnce() throws IOException {
    List<String> listed =
        Part.read(ROOT.resolve("docs/proof-parts.tsv")).stream().map(Part::name).toList();
    assertThat(listed)
        .as("docs/proof-parts.tsv: the classes with tests that are tagged `proof`")
        .containsExactlyInAnyOrderElementsOf(tagged());
  }

  @Test
  void whatReadmePromisesIsAGuaranteeInItsWords() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md")).toLowerCase(Locale.ROOT);
    assertThat(Arrays.stream(Guarantee.values()).filter(Guarantee::inReadme).map(Guarantee::text))
        .allSatisfy(each -> assertThat(readme).contains(each.toLowerCase(Locale.ROOT)));
  }

  /** Sources are read, because nothing that is compiled knows the tests of all modules. */
  private static List<String> tagged() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      List<Source> sources =
          files.map(Source::of).flatMap(List::stream).filter(each -> !each.isOurs()).toList();
      Map<String, List<Source>> byName =
          sources.stream().collect(Collectors.groupingBy(Source::name));
      return sources.stream()
          .filter(each -> each.name.endsWith("Test") && !ABSTRACT.matcher(each.text).find())
          .filter(each -> each.isTagged(byName, new HashSet<>()))
          .map(each -> each.module + "/" + each.name)
          .toList();
    }
  }

  private record Source(String module, String name, String text) {
    static List<Source> of(Path file) {
      return SOURCE
          .matcher(ROOT.relativize(file).toString())
          .results()
          .map(MatchResult::group)
          .map(
              path ->
                  new Source(
                      ProjectRoot.artifactOf(ROOT.resolve(path.replaceAll("/src/.*", "/pom.xml"))),
                      nameOf(file),
                      read(file)))
          .toList();
    }

    /** Has tags in samples of what is recorded. */
    boolean isOurs() {
      return module.equals("semel-junit");
    }

    boolean isTagged(Map<String, List<Source>> byName, Set<Source> seen) {
      return seen.add(this)
          && (TAG.matcher(text).find()
              || EXTENDS
                  .matcher(text)
                  .results()
                  .flatMap(each -> byName.getOrDefault(each.group(1), List.of()).stream())
                  .anyMatch(parent -> parent.isTagged(byName, seen)));
    }

    private static String nameOf(Path file) {
      return file.getFileName().toString().replace(".java", "");
    }

    private static String read(Path file) {
      try {
        return Files.readString(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
