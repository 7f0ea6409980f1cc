package dev.semel.stream.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Messages of JSON come out as they went in, and nothing passes for one that is none. */
class StreamChunkTest {
  private static final StreamMark MARK = new StreamMark("7", "", true, false);

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static StreamChunk json(String... pieces) {
    List<byte[]> bytes = Stream.of(pieces).map(StreamChunkTest::utf8).toList();
    return StreamChunk.of(true, bytes, MARK);
  }

  @Test
  void messagesAreTheirOwnText() {
    assertThat(json(" [ {\"a\" : [1, 2]} ,[[]], \"é,]\\\"\" ,1e5,null ] ").messages())
        .containsExactly("{\"a\" : [1, 2]}", "[[]]", "\"é,]\\\"\"", "1e5", "null");
  }

  @Test
  void severalPiecesAreOneArray() {
    StreamChunk chunk = json("[1,2]", "[]", "[[3]]");
    assertThat(chunk.messages()).containsExactly("1", "2", "[3]");
    assertThat(chunk.text()).isEqualTo("[1,2,[3]]");
    assertThat(json().isEmpty()).isTrue();
    assertThat(json("[]", "[]").isEmpty()).isTrue();
    assertThat(json("[]").isEmpty()).isTrue();
  }

  @Test
  void whatIsNoArrayOfMessagesIsRefused() {
    for (String bad : List.of("{}", "1", "[1", "[1,]", "[1] 2", " ", "[\"\ud800\"]x", "[1][2]")) {
      assertThatThrownBy(() -> json(bad)).as(bad).isInstanceOf(InvalidInput.class);
      assertThatThrownBy(() -> json("[1]", bad)).as(bad).isInstanceOf(InvalidInput.class);
    }
  }

  @Test
  void onlyJsonHasMessages() {
    StreamChunk bytes = StreamChunk.of(false, List.of(utf8("a"), utf8("b")), MARK);
    assertThat(bytes.text()).isEqualTo("ab");
    assertThatThrownBy(bytes::messages).isInstanceOf(IllegalStateException.class);
    assertThat(bytes.nextOffset()).isEqualTo("7");
    assertThat(bytes.upToDate()).isTrue();
    assertThat(bytes.closed()).isFalse();
  }

  @Test
  void aMessageIsOneValueOrNothingIsSent() {
    assertThat(DurableStream.array(utf8("[1,2]"))).isEqualTo(utf8("[[1,2]]"));
    assertThatThrownBy(() -> DurableStream.array(utf8("1,2"))).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> DurableStream.array(utf8("1],[2"))).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> DurableStream.array(new byte[0])).isInstanceOf(InvalidInput.class);
  }
}
