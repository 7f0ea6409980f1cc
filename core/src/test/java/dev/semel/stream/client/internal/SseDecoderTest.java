package dev.semel.stream.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Events from bytes, however they are cut. */
class SseDecoderTest {
  private static final int MAX = 1000;

  private static List<String> taken(SseDecoder decoder) {
    List<String> events = new ArrayList<>();
    for (Optional<SseDecoder.Event> e = decoder.poll(); e.isPresent(); e = decoder.poll()) {
      events.add(e.get().name() + '=' + new String(e.get().data(), StandardCharsets.UTF_8));
    }
    return events;
  }

  private static List<String> events(String text) {
    SseDecoder decoder = new SseDecoder(MAX);
    decoder.feed(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    return taken(decoder);
  }

  @Test
  void linesOfDataAreJoinedAndOneBlankIsDropped() {
    assertThat(events("event: data\ndata: a\ndata:  b\ndata:\ndata:c\n\n"))
        .containsExactly("data=a\n b\n\nc");
  }

  @Test
  void everyEndOfALineCounts() {
    assertThat(events("event:x\rdata:1\r\revent:y\r\ndata:2\r\n\r\nevent:z\ndata:3\n\n"))
        .containsExactly("x=1", "y=2", "z=3");
  }

  @Test
  void aMarkOfTheByteOrderIsSkippedAtTheStartAlone() {
    assertThat(events("\ufeffevent:x\ndata:1\n\n\ufeffevent:y\ndata:2\n\n"))
        .containsExactly("x=1", "message=2");
    assertThat(events("\ufeff\nevent:x\ndata:1\n\n")).containsExactly("x=1");
  }

  @Test
  void commentsUnknownFieldsAndEventsWithoutDataAreSkipped() {
    assertThat(events(": hello\nid: 7\nretry: 5\nnonsense\nevent: x\n\ndata: 1\n\n"))
        .containsExactly("message=1");
  }

  @Test
  void anEventWithoutItsEmptyLineIsNone() {
    assertThat(events("event:x\ndata:1\n\nevent:y\ndata:2\n")).containsExactly("x=1");
  }

  @Test
  void whatIsTooLargeIsRefusedInOneLineAndInMany() {
    SseDecoder one = new SseDecoder(MAX);
    assertThatThrownBy(() -> one.feed(ByteBuffer.wrap(new byte[MAX + 1])))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("1000 bytes");
    assertThatThrownBy(() -> events("data:0123456789\n".repeat(MAX / 10)))
        .isInstanceOf(InvalidInput.class);
    assertThat(events("data:0123456789\n\n".repeat(MAX))).hasSize(MAX);
  }

  @Test
  void cutsChangeNothing() {
    String text =
        "\ufeffevent: data\r\ndata: [\"é\u20ac\ud83d\ude00\",\r\ndata: 2]\r\n\r\n"
            + "event: control\rdata:{\"streamNextOffset\":\"7\"}\r\r"
            + ":keep\n\nevent:data\ndata:\ndata:x\n\n\r\n\n"
            + "event: control\r\ndata:{}\r\n\n";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    List<String> whole = events(text);
    assertThat(whole).hasSize(4);
    for (int seed = 0; seed < 2000; seed++) {
      Random random = new Random(seed);
      SseDecoder decoder = new SseDecoder(MAX);
      List<String> cut = new ArrayList<>();
      for (int at = 0; at < bytes.length; ) {
        int length = Math.min(bytes.length - at, random.nextInt(1 + random.nextInt(20)));
        decoder.feed(ByteBuffer.wrap(bytes, at, length).asReadOnlyBuffer());
        cut.addAll(taken(decoder));
        at += length;
      }
      assertThat(cut).as("seed %d", seed).isEqualTo(whole);
    }
  }
}
