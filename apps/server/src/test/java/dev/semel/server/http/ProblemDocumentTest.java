package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProblemDocumentTest {
  @Test
  void isAProblemDocument() {
    assertThat(ProblemDocument.of(409, "stream-closed", "say \"why\"").json())
        .isEqualTo(
            "{\"type\":\"urn:semel:problem:stream-closed\",\"title\":\"Stream closed\",\"status\":409,"
                + "\"detail\":\"say \\\"why\\\"\"}");
  }
}
