package dev.semel.doctest;

import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every decision, by its title. */
class DecisionsPageTest {
  private static final Path FOLDER = Book.DOCS.resolve("decisions");
  private static final Path PAGE = FOLDER.resolve("README.md");

  @Test
  void theListHasEveryDecision() {
    String list =
        Book.pages().stream()
            .filter(page -> page.file().startsWith(FOLDER))
            .filter(page -> !page.file().equals(PAGE))
            .map(page -> "- [%s](%s)\n".formatted(title(page), page.file().getFileName()))
            .collect(Collectors.joining());
    Generated.part(PAGE, "decisions", list);
  }

  private static String title(Page page) {
    return page.prose().getFirst().replaceFirst("^# ", "");
  }
}
