package dev.semel.admin.document.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExportTableTest {
  @ParameterizedTest
  @EnumSource(ExportTable.class)
  void everyMemberOfARowHasAColumn(ExportTable table) {
    assertThat(table.columns())
        .containsAll(table.row().names())
        .contains("details")
        .doesNotHaveDuplicates();
    assertThat(table.heading()).isEqualTo(String.join(",", table.columns()) + "\r\n");
  }

  /** Columns stand where they stood in files that were written before. */
  @Test
  void columnsHaveTheirPlaces() {
    assertThat(ExportTable.KEYS.columns())
        .containsExactly(
            "key",
            "tenant",
            "operation",
            "id",
            "state",
            "attempt",
            "request_id",
            "age_ms",
            "lease_left_ms",
            "retention_left_ms",
            "fingerprint",
            "payload_type",
            "payload_bytes",
            "exit_code",
            "claimed_by",
            "details");
    assertThat(ExportTable.EVENTS.columns())
        .containsExactly(
            "at",
            "kind",
            "tenant",
            "operation",
            "id",
            "erased",
            "details",
            "personal",
            "writer",
            "number",
            "hash");
    assertThat(ExportTable.STATS.columns())
        .startsWith("tenant", "operation", "requests", "executed", "duplicates")
        .contains("hit_rate", "age_1s")
        .endsWith("age_older", "details");
  }

  @Test
  void whatHasNoColumnIsInTheDetails() {
    JsonObject row = (JsonObject) Json.parse("{\"key\":\"a\",\"attempt\":2,\"new\":true}");
    assertThat(ExportTable.KEYS.line(row)).isEqualTo("a,,,,,2,,,,,,,,,,\"{\"\"new\"\":true}\"\r\n");
  }
}
