package dev.semel.proof.history;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Combines the beginnings and ends in several files. */
final class HistoryReader {
  private final List<RecordedCall> calls = new ArrayList<>();
  private final List<RecordedEffect> effects = new ArrayList<>();

  /** The open calls of the process whose lines are being read. */
  private final Map<Long, RecordedCall> underWay = new HashMap<>();

  private String client = "";

  void read(Path file) {
    try {
      // Not readAllLines, because a line that a kill cut off may end inside a character.
      List<String> lines =
          new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
      for (int i = 0; i < lines.size(); i++) {
        Optional<JsonObject> line = parse(lines.get(i));
        if (line.isPresent()) {
          take(line.get());
        } else if (i + 1 < lines.size() && !opens(lines.get(i + 1))) {
          throw new IllegalStateException(
              "line %d of %s is no line of a history".formatted(i + 1, file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    endOfProcess();
  }

  private static Optional<JsonObject> parse(String line) {
    try {
      return Json.parse(line) instanceof JsonObject object ? Optional.of(object) : Optional.empty();
    } catch (InvalidInput e) {
      return Optional.empty();
    }
  }

  private static boolean opens(String line) {
    return parse(line).flatMap(l -> l.get("client")).isPresent();
  }

  private void take(JsonObject line) {
    if (line.get("client").isPresent()) {
      endOfProcess();
      client = HistoryLines.text(line, "client");
    } else if (line.get("began").isPresent()) {
      Key key = Key.parse(HistoryLines.text(line, "key"));
      long began = HistoryLines.number(line, "began");
      underWay.put(
          HistoryLines.number(line, "call"),
          new RecordedCall(
              client,
              key,
              HistoryLines.action(line),
              RecordedAnswer.NONE,
              began,
              RecordedCall.NEVER));
    } else if (line.get("ended").isPresent()) {
      RecordedCall call = underWay.remove(HistoryLines.number(line, "call"));
      if (call == null) {
        throw new IllegalStateException("a call of " + client + " ended that never began: " + line);
      }
      calls.add(call.answered(HistoryLines.answer(line), HistoryLines.number(line, "ended")));
    } else {
      effects.add(HistoryLines.effect(line, client));
    }
  }

  /** Closes the open calls, because the next process numbers its calls from the beginning. */
  private void endOfProcess() {
    calls.addAll(underWay.values());
    underWay.clear();
  }

  History history() {
    return MemoryRecorder.inOrder(calls, effects);
  }
}
