package dev.semel.example.plain;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** A bank without deduplication: every charge is a line in a file that survives our processes. */
final class BankBook implements Bank {
  private final Path book;

  BankBook(Path folder) {
    this.book = folder.resolve("bank.txt");
  }

  @Override
  public String charge(String order, long cents, String effectKey) {
    try {
      Files.writeString(
          book,
          "%s %d %s%n".formatted(order, cents, effectKey),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
      return "charge-" + charges().size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> charges() {
    try {
      return Files.readAllLines(book);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
