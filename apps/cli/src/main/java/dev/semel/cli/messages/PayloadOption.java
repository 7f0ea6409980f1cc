package dev.semel.cli.messages;

import dev.semel.cli.ByteSizes;
import dev.semel.cli.OptionFile;
import dev.semel.cli.SemelCommand;
import dev.semel.inbox.spi.InboxOperations;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for a dead letter's new payload. */
final class PayloadOption {
  /** No message is larger, so a larger file is a mistake. */
  private static final int MAX_BYTES = InboxOperations.MAX_EDITED_BYTES;

  @Option(
      names = "--payload",
      paramLabel = "FILE",
      description = "One dead letter, with what is in this file in place of its payload.")
  private @Nullable String file;

  boolean given() {
    return file != null;
  }

  /** The file's bytes, unchanged. */
  byte[] read(SemelCommand semel) {
    return OptionFile.bytes(
        semel.around().folder(), "--payload", SemelCommand.given(file), MAX_BYTES);
  }

  /**
   * Describes the replacement, and asks.
   *
   * @param letter the dead letter, in words
   */
  static boolean declined(SemelCommand semel, String letter, int before, int after, boolean yes) {
    return semel
        .console()
        .declined(
            "This puts %s back into the queue with %s in place of %s; what it had is gone then."
                .formatted(letter, ByteSizes.text(after), ByteSizes.text(before)),
            yes);
  }
}
