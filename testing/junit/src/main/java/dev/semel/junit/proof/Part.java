package dev.semel.junit.proof;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * One class of tests that {@code ./proof} runs.
 *
 * @param module the folder of its module
 * @param type the class with its package
 */
public record Part(String module, String type, Guarantee guarantee) {
  /** What it is called in the record. */
  public String name() {
    return module + "/" + type.substring(type.lastIndexOf('.') + 1);
  }

  /** Those of a file: a line has module, class and guarantee; the first line says so. */
  public static List<Part> read(Path file) {
    try {
      return Files.readAllLines(file).stream().skip(1).map(Part::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Part parse(String line) {
    String[] fields = line.split("\t", -1);
    if (fields.length != 3) {
      throw new IllegalArgumentException("not a part: " + line);
    }
    return new Part(fields[0], fields[1], Guarantee.of(fields[2]));
  }
}
