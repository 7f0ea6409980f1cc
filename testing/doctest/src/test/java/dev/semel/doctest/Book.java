package dev.semel.doctest;

import dev.semel.junit.ProjectRoot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Everything that people read, and where it lies. */
final class Book {
  static final Path ROOT = ProjectRoot.path();
  static final Path DOCS = ROOT.resolve("docs");

  private Book() {}

  /** Every page of the project, whichever folder it is in. */
  static List<Page> pages() {
    try (Stream<Path> all = Files.walk(ROOT)) {
      return all.filter(file -> file.toString().endsWith(".md"))
          .filter(Book::isOurs)
          .sorted()
          .map(Page::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOurs(Path file) {
    for (Path part : ROOT.relativize(file)) {
      String name = part.toString();
      if (name.equals("target") || name.equals("node_modules") || name.startsWith(".")) {
        return false;
      }
    }
    return true;
  }

  static Page page(String name) {
    return Page.read(ROOT.resolve(name));
  }

  /** The text of every Java file in the main sources of the module with this artifact. */
  static List<String> sources(String artifact) {
    return javaIn(ProjectRoot.module(artifact).resolve("src/main"));
  }

  /** The text of every Java file in the tests of the module with this artifact. */
  static List<String> tests(String artifact) {
    return javaIn(ProjectRoot.module(artifact).resolve("src/test"));
  }

  private static List<String> javaIn(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(".java"))
          .sorted()
          .map(Book::text)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
