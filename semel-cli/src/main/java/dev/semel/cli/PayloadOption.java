package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.Printable;
import dev.semel.inbox.InboxOperations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What takes the place of a dead letter's payload. */
final class PayloadOption {
  /** No message is larger, and nobody means to give back a larger file. */
  private static final int MAX_BYTES = InboxOperations.MAX_EDITED_BYTES;

  @Option(
      names = "--payload",
      paramLabel = "FILE",
      description = "One dead letter, with what is in this file in place of its payload.")
  private @Nullable String file;

  boolean given() {
    return file != null;
  }

  /** The file's bytes, as they are. */
  byte[] read(Semel semel) {
    String name = Semel.given(file);
    try {
      Path path = semel.around().folder().resolve(name);
      if (Files.size(path) > MAX_BYTES) {
        throw new InvalidInput(
            "the file of --payload is larger than %d bytes".formatted(MAX_BYTES));
      }
      return Files.readAllBytes(path);
    } catch (IOException | InvalidPathException e) {
      throw new InvalidInput(
          "the file of --payload can't be read: %s".formatted(Printable.quoted(name)));
    }
  }

  /**
   * Says what is about to be replaced, and asks.
   *
   * @param letter the dead letter, in words
   */
  static boolean declined(Semel semel, String letter, int before, int after, boolean yes) {
    String does =
        "This puts %s back into the queue with %s in place of %s; what it had is gone then."
            .formatted(letter, Sizes.text(after), Sizes.text(before));
    if (semel.console().confirm(does, yes)) {
      return false;
    }
    semel.console().note("nothing was done");
    return true;
  }
}
