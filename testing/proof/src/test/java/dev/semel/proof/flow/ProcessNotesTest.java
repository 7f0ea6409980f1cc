package dev.semel.proof.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessNotesTest {
  @TempDir private Path folder;

  @Test
  void lineThatADeathCutOffWithinACharacterIsLeftOut() throws IOException {
    Path file = folder.resolve("producer-1.jsonl");
    try (ProcessNotes notes = new ProcessNotes(file, "producer-1")) {
      notes.note(MessageJudge.WRITES, "größe", "key");
    }
    byte[] whole = "{\"at\":\"2\",\"who\":\"grö".getBytes(StandardCharsets.UTF_8);
    Files.write(file, Arrays.copyOf(whole, whole.length - 1), StandardOpenOption.APPEND);

    assertThat(ProcessNotes.read(List.of(file)))
        .extracting(ProcessNote::id)
        .containsExactly("größe");
  }
}
