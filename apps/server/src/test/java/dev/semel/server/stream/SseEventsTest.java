package dev.semel.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SseEventsTest {
  private static String data(String type, String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    Buffer out = Buffer.buffer();
    SseEvents.data(out, ContentType.parse(type), body, body.length);
    return out.toString();
  }

  @Test
  void everyEndOfALineBeginsANewOne() {
    assertThat(data("text/plain", "a\nb\r\nc\rd"))
        .isEqualTo("event: data\ndata:a\ndata:b\ndata:c\ndata:d\n\n");
    assertThat(data("text/plain", "a\n\nevent: control\ndata: {}\n\n"))
        .isEqualTo(
            "event: data\ndata:a\ndata:\ndata:event: control\ndata:data: {}\ndata:\ndata:\n\n");
  }

  /** A reader drops one blank after the colon. */
  @Test
  void aFirstBlankIsKept() {
    assertThat(data("text/plain", " a\n  b")).isEqualTo("event: data\ndata:  a\ndata:   b\n\n");
  }

  @Test
  void otherTypesAreEncoded() {
    assertThat(data("image/png", "\n\n")).isEqualTo("event: data\ndata:Cgo=\n\n");
    assertThat(data("application/json", "[1]")).isEqualTo("event: data\ndata:[1]\n\n");
  }

  @Test
  void controlSaysWhereItEnds() {
    Buffer out = Buffer.buffer();
    SseEvents.control(out, new Offset(5), 7, true, false);
    SseEvents.control(out, new Offset(5), 7, true, true);
    String where = "event: control\ndata:{\"streamNextOffset\":\"" + new Offset(5) + '"';
    assertThat(out.toString())
        .isEqualTo(
            where
                + ",\"streamCursor\":\"7\",\"upToDate\":true}\n\n"
                + where
                + ",\"upToDate\":true,\"streamClosed\":true}\n\n");
  }

  @Test
  void charactersAreKeptWhole() {
    byte[] text = "aé€🌍".getBytes(StandardCharsets.UTF_8);
    int[] whole = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};
    for (int length = 1; length <= text.length; length++) {
      byte[] cut = Arrays.copyOf(text, length);
      assertThat(SseEvents.wholeCharacters(cut)).as("%d bytes", length).isEqualTo(whole[length]);
    }
    // Invalid text must not stop the reader.
    assertThat(SseEvents.wholeCharacters(new byte[] {(byte) 0x80, (byte) 0x80})).isEqualTo(2);
    assertThat(SseEvents.wholeCharacters(new byte[] {(byte) 0xe2})).isEqualTo(1);
  }
}
