package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.PrintableText;
import dev.semel.idempotency.Fingerprint;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** A command line that is to run once. */
record Command(List<String> words) {
  /** Stands in a word whose bytes were no text; what it stood for can't be told any more. */
  private static final char BROKEN = '\ufffd';

  Command {
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

  /** Each word with its length, so that no two command lines look alike. */
  Fingerprint fingerprint() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String word : words) {
      byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
      all.writeBytes((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
      all.writeBytes(bytes);
    }
    return Fingerprint.of(all.toByteArray());
  }

  /** What a shell would end with if it can't be started; {@link Exit#OK} if it can. */
  int startable(Surroundings around) {
    try {
      if (name().isEmpty()) {
        return Exit.NO_SUCH_COMMAND;
      }
      if (name().indexOf('/') >= 0) {
        return startable(around.folder().resolve(name()));
      }
      int best = Exit.NO_SUCH_COMMAND;
      for (String folder : around.variable("PATH").split(":", -1)) {
        int found = startable(around.folder().resolve(folder).resolve(name()));
        if (found == Exit.OK) {
          return Exit.OK;
        }
        best = Math.min(best, found);
      }
      return best;
    } catch (InvalidPathException e) {
      return Exit.NO_SUCH_COMMAND;
    }
  }

  private static int startable(Path file) {
    if (!Files.exists(file)) {
      return Exit.NO_SUCH_COMMAND;
    }
    return Files.isRegularFile(file) && Files.isExecutable(file) ? Exit.OK : Exit.NOT_EXECUTABLE;
  }
}
