package dev.semel.journal.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a journal of short texts held when it was opened. */
final class Collected implements JournalReplay {
  final List<String> records = new ArrayList<>();
  String snapshot = "";

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void snapshot(long from, InputStream content) throws IOException {
    snapshot = from + ":" + new String(content.readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void record(long lsn, ByteBuffer payload) {
    records.add(lsn + ":" + StandardCharsets.UTF_8.decode(payload));
  }
}
