package dev.semel.server.subscription.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JsonChunksTest {
  @Test
  void recordsKeepTheirOrderAndNoneIsCut() {
    List<String> records = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      records.add("\"%d-%s\"".formatted(i, "x".repeat(i % 7 == 0 ? 20_000 : 3)));
    }
    records.add("\"" + "y".repeat(2 * JsonChunks.BYTES) + "\"");
    records.add("\"end\"");
    List<JsonValue> read = new ArrayList<>();
    List<byte[]> chunks = JsonChunks.of(records);
    chunks.forEach(chunk -> read.addAll(((JsonArray) Json.parse(chunk)).items()));
    assertThat(read.stream().map(Json::write).toList()).isEqualTo(records);
    assertThat(chunks).filteredOn(chunk -> chunk.length > JsonChunks.BYTES + 1).hasSize(1);
    assertThat(chunks).hasSizeLessThan(6);
  }

  @Test
  void nothingIsNoChunk() {
    assertThat(JsonChunks.of(List.of())).isEmpty();
  }
}
