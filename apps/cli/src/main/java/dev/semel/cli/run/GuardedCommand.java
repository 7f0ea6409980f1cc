package dev.semel.cli.run;

import dev.semel.InvalidInput;
import dev.semel.cli.Environment;
import dev.semel.cli.ExitCode;
import dev.semel.idempotency.Fingerprint;
import dev.semel.internal.PrintableText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** The words of a command line that is to run once. */
record GuardedCommand(List<String> words) {
  /** The JDK's replacement for bytes that are no valid text; the original bytes are lost. */
  private static final char BROKEN = '\ufffd';

  GuardedCommand {
    words = List.copyOf(words);
    for (String word : words) {
      if (word.indexOf(BROKEN) >= 0) {
        throw new InvalidInput(
            "the word %s of the command is not valid UTF-8 and can't be passed on unchanged: put it into a script"
                .formatted(PrintableText.quoted(word)));
      }
    }
  }

  String name() {
    return words.get(0);
  }

  /** Hashes each word with its length, so that no two command lines look alike. */
  Fingerprint fingerprint() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String word : words) {
      byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
      all.writeBytes((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
      all.writeBytes(bytes);
    }
    return Fingerprint.of(all.toByteArray());
  }

  /** A shell's exit code for a command that can't be started; {@link ExitCode#OK} if it can. */
  int startable(Environment around) {
    try {
      if (name().isEmpty()) {
        return ExitCode.NO_SUCH_COMMAND;
      }
      if (name().indexOf('/') >= 0) {
        return startable(around.folder().resolve(name()));
      }
      int best = ExitCode.NO_SUCH_COMMAND;
      for (String folder : around.variable("PATH").split(":", -1)) {
        int found = startable(around.folder().resolve(folder).resolve(name()));
        if (found == ExitCode.OK) {
          return ExitCode.OK;
        }
        best = Math.min(best, found);
      }
      return best;
    } catch (InvalidPathException e) {
      return ExitCode.NO_SUCH_COMMAND;
    }
  }

  private static int startable(Path file) {
    if (!Files.exists(file)) {
      return ExitCode.NO_SUCH_COMMAND;
    }
    return Files.isRegularFile(file) && Files.isExecutable(file)
        ? ExitCode.OK
        : ExitCode.NOT_EXECUTABLE;
  }
}
