package dev.semel.cli.adapter;

import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.stream.client.StreamChunk;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.Collectors;

/** A chunk in an answer: as text if it is valid text, else in base64. */
final class ChunkView {
  private ChunkView() {}

  static JsonObject json(StreamChunk chunk) {
    JsonObjectBuilder view = Json.object();
    if (chunk.isJson()) {
      view.with(
          "data",
          chunk.messages().stream()
              .map(ChunkView::compact)
              .collect(Collectors.joining(",", "[", "]")));
    } else {
      bytes(view, chunk.bytes());
    }
    return view.with("offset", chunk.nextOffset()).build();
  }

  private static void bytes(JsonObjectBuilder view, byte[] bytes) {
    try {
      // Unlike a String's constructor, this fails for bytes that are no text.
      view.with(
          "data", StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      view.with("data", Base64.getEncoder().encodeToString(bytes)).with("binary", true);
    }
  }

  /** Removes the blanks between a message's parts, which servers may keep or drop. */
  static String compact(String json) {
    StringBuilder compact = new StringBuilder(json.length());
    boolean text = false;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (text && c == '\\') {
        compact.append(c).append(json.charAt(++i)); // valid JSON: something follows
      } else if (text || c > ' ') {
        text ^= c == '"';
        compact.append(c);
      }
    }
    return compact.toString();
  }
}
