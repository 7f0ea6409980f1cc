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
 * @param type the qualified class name
 */
public record Part(String module, String type, Guarantee guarantee) {
  /** The part's name in the record. */
  public String name() {
    return module + "/" + type.substring(type.lastIndexOf('.') + 1);
  }

  /**
   * Reads the parts in a file: each line has module, class and guarantee; the first line is a head.
   */
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
