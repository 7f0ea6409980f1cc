package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Reads files that options name. Messages may show their names, never their content. */
public final class OptionFile {
  private OptionFile() {}

  /**
   * The path that an option names.
   *
   * @param folder base of relative paths
   * @param what names the path in messages, such as {@code the report} or {@code --token}
   */
  public static Path path(Path folder, String what, String name) {
    try {
      return folder.resolve(name);
    } catch (InvalidPathException e) {
      throw new InvalidInput("the path of %s is not valid: %s".formatted(what, e.getReason()));
    }
  }

  /** The file's content, unchanged. */
  public static byte[] bytes(Path folder, String option, String name, int maxBytes) {
    try {
      Path file = folder.resolve(name);
      if (Files.size(file) > maxBytes) {
        throw new InvalidInput(
            "the file of %s is larger than %d bytes".formatted(option, maxBytes));
      }
      return Files.readAllBytes(file);
    } catch (IOException | InvalidPathException e) {
      throw unreadable(option, name);
    }
  }

  /** The file's content as text; throws if it is not valid. */
  public static String text(
      Path folder, String option, String name, int maxBytes, Charset charset) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(bytes(folder, option, name, maxBytes));
      return charset.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw unreadable(option, name);
    }
  }

  private static InvalidInput unreadable(String option, String name) {
    return new InvalidInput(
        "the file of %s can't be read: %s".formatted(option, PrintableText.quoted(name)));
  }
}
