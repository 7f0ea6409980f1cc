package dev.semel.proof.flow;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The notes of one life of a process, each written at once, so that they survive a kill. The clock
 * is {@link System#nanoTime}, which all JVMs of one machine share. Safe for many threads.
 */
public final class ProcessNotes implements AutoCloseable {
  private final FileOutputStream file;
  private final String who;

  public ProcessNotes(Path path, String who) {
    this.who = who;
    try {
      this.file = new FileOutputStream(path.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void note(String what, String id, String detail) {
    String line =
        Json.object()
                .with("at", Long.toString(System.nanoTime()))
                .with("who", who)
                .with("what", what)
                .with("id", id)
                .with("detail", detail)
                .write()
            + "\n";
    try {
      synchronized (file) {
        file.write(line.getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the notes in all these files, in order of time. Ignores a line that a kill cut off. */
  static List<ProcessNote> read(List<Path> files) {
    List<ProcessNote> notes = new ArrayList<>();
    for (Path file : files) {
      try {
        // Not readString, because a line that a kill cut off may end inside a character.
        new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
            .lines()
            .forEach(
                line -> {
                  try {
                    notes.add(parse(line));
                  } catch (InvalidInput e) {
                    // Its writer died inside this line.
                  }
                });
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    notes.sort(Comparator.comparingLong(ProcessNote::atNanos));
    return notes;
  }

  private static ProcessNote parse(String line) {
    JsonObject note = (JsonObject) Json.parse(line);
    return new ProcessNote(
        Long.parseLong(text(note, "at")),
        text(note, "who"),
        text(note, "what"),
        text(note, "id"),
        text(note, "detail"));
  }

  private static String text(JsonObject note, String name) {
    return ((JsonString) note.get(name).orElseThrow()).text();
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
