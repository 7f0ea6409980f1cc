package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Snippets and examples, which readers copy, use no internal package. */
class DoorsTest {
  private static final Pattern INTERNAL =
      Pattern.compile("(?m)^import .*\\bdev\\.semel\\..*internal\\.");

  @Test
  void snippetsUseNothingInternal() throws IOException {
    assertUsesNothingInternal("testing/doctest/src/test/snippets");
  }

  @Test
  void examplesUseNothingInternal() throws IOException {
    assertUsesNothingInternal("examples");
  }

  private static void assertUsesNothingInternal(String folder) throws IOException {
    List<Path> sources;
    try (Stream<Path> files = Files.walk(Book.ROOT.resolve(folder))) {
      sources = files.filter(file -> file.toString().endsWith(".java")).toList();
    }
    assertThat(sources)
        .isNotEmpty()
        .allSatisfy(
            source ->
                assertThat(INTERNAL.matcher(Book.text(source)).find()).as("%s", source).isFalse());
  }
}
