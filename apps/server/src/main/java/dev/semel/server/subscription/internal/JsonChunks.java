package dev.semel.server.subscription.internal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Packs many JSON records into few arrays, each of which an engine takes in one write. */
final class JsonChunks {
  /** Length of an array, unless a single record is longer. */
  static final int BYTES = 1 << 20;

  private JsonChunks() {}

  static List<byte[]> of(List<String> records) {
    List<byte[]> chunks = new ArrayList<>();
    StringBuilder chunk = new StringBuilder("[");
    for (String each : records) {
      if (chunk.length() > 1 && chunk.length() + each.length() > BYTES) {
        chunks.add(ended(chunk));
        chunk = new StringBuilder("[");
      }
      chunk.append(chunk.length() == 1 ? "" : ",").append(each);
    }
    if (chunk.length() > 1) {
      chunks.add(ended(chunk));
    }
    return chunks;
  }

  private static byte[] ended(StringBuilder chunk) {
    return chunk.append(']').toString().getBytes(StandardCharsets.UTF_8);
  }
}
