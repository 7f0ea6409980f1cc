package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every link within the project leads somewhere. Those to elsewhere are not followed. */
class LinksTest {
  @Test
  void everyLinkAndAnchorIsThere() {
    List<String> dead = new ArrayList<>();
    int looked = 0;
    for (Page page : Book.pages()) {
      for (String link : page.links()) {
        if (!isElsewhere(link)) {
          looked++;
          wrong(page, link).ifPresent(why -> dead.add(page.name() + ": " + link + " " + why));
        }
      }
    }
    assertThat(dead).isEmpty();
    assertThat(looked).isGreaterThan(200);
  }

  private static boolean isElsewhere(String link) {
    return link.startsWith("http://") || link.startsWith("https://") || link.startsWith("mailto:");
  }

  private static Optional<String> wrong(Page page, String link) {
    int hash = link.indexOf('#');
    String path = URI.create(hash < 0 ? link : link.substring(0, hash)).getPath();
    Path target = path.isEmpty() ? page.file() : page.file().resolveSibling(path).normalize();
    if (!Files.exists(target)) {
      return Optional.of("does not exist");
    }
    if (hash >= 0 && !Page.read(target).anchors().contains(link.substring(hash + 1))) {
      return Optional.of("has no such heading");
    }
    return Optional.empty();
  }

  @Test
  void everyPageIsInTheIndexOrInThatOfTheCommand() {
    Set<Path> listed = new HashSet<>();
    for (Page index : List.of(Book.page("docs/README.md"), Book.page("docs/cli.md"))) {
      listed.add(index.file());
      for (String link : index.links()) {
        if (!isElsewhere(link)) {
          listed.add(index.file().resolveSibling(link.split("#", 2)[0]).normalize());
        }
      }
    }
    Set<Path> folders = Set.of(Book.DOCS, Book.DOCS.resolve("cli"), Book.DOCS.resolve("reference"));
    assertThat(Book.pages().stream().map(Page::file))
        .filteredOn(page -> folders.contains(page.getParent()))
        .isSubsetOf(listed);
  }
}
