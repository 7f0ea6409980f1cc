package dev.semel.stream.internal;

import static dev.semel.stream.Fixture.at;
import static dev.semel.stream.Fixture.bytes;
import static dev.semel.stream.Fixture.path;
import static dev.semel.stream.Fixture.tuple;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import dev.semel.stream.ContentType;
import dev.semel.stream.Fixture;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.StreamConfig;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamFork;
import dev.semel.stream.spi.StreamSeq;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ChangeCodecTest {
  private static final long NOW = 1_767_225_600_000L;

  private static final List<StreamChange> ALL =
      List.of(
          new StreamChange.Created(
              1,
              NOW,
              path("größe/a"),
              StreamConfig.of(ContentType.parse("text/plain; charset=utf-8")),
              Offset.ZERO,
              0,
              AppendBody.of(Fixture.TEXT, bytes("x")),
              false),
          new StreamChange.Created(
              1L << 40,
              NOW,
              path("f"),
              new StreamConfig(
                  ContentType.JSON,
                  new StreamExpiry.Idle((1L << 53) - 1),
                  Optional.of(new StreamFork(path("s"), Optional.of(at(300)), 2))),
              at(312),
              77,
              AppendBody.of(ContentType.JSON, bytes("[1,[2,3],\"ü\"]")),
              true),
          new StreamChange.Created(
              3,
              0,
              path("g"),
              new StreamConfig(
                  ContentType.BYTES,
                  new StreamExpiry.At(-5),
                  Optional.of(new StreamFork(StreamPath.reserved("s"), Optional.empty(), 0))),
              Offset.ZERO,
              1,
              AppendBody.EMPTY,
              false),
          new StreamChange.Appended(
              1,
              NOW,
              AppendBody.of(Fixture.TEXT, bytes("data")),
              Optional.of(new BatchStamp(tuple("p", 0, (1L << 53) - 1), false)),
              Optional.of(new StreamSeq("a-1")),
              true),
          new StreamChange.Appended(
              1,
              NOW,
              AppendBody.of(ContentType.JSON, bytes("[1,22]")),
              Optional.empty(),
              Optional.empty(),
              false),
          new StreamChange.Closed(
              1,
              NOW,
              Optional.of(new BatchStamp(tuple("p", 3, 9), true)),
              Optional.of(new StreamSeq("z"))),
          new StreamChange.Closed(1, NOW, Optional.empty(), Optional.empty()),
          new StreamChange.Deleted(1, NOW),
          new StreamChange.Expired(Long.MAX_VALUE, Long.MAX_VALUE),
          new StreamChange.Touched(1, NOW),
          new StreamChange.Trimmed(1, NOW, at(9_999_999_999_999_999L)),
          new StreamChange.ProducerExpired(1, NOW, "p", true),
          new StreamChange.ProducerFenced(1, NOW, "p", false, 12));

  private final ChangeCodec codec = new ChangeCodec();

  private ByteBuffer encode(StreamChange change) {
    ByteBuffer shared = codec.encode(change);
    return ByteBuffer.allocate(shared.remaining()).put(shared).flip();
  }

  @Test
  void everyChangeReadsBackAsItWas() {
    assertThat(ALL.stream().map(Object::getClass).distinct())
        .hasSize(StreamChange.class.getPermittedSubclasses().length);
    for (StreamChange change : ALL) {
      StreamChange read = ChangeCodec.decode(encode(change));
      assertThat(read).isEqualTo(change);
      if (change instanceof StreamChange.Created c) { // equal types may be spelled differently
        assertThat(((StreamChange.Created) read).config().type().text())
            .isEqualTo(c.config().type().text());
      }
    }
  }

  @Test
  void theBytesOfVersionOneStayAsTheyAre() {
    assertThat(HexFormat.of().formatHex(encode(ALL.get(3)).array()))
        .isEqualTo(
            "0102" // version, kind
                + "01" // stream
                + "80d0eab6b733" // time
                + "00" // no messages of JSON
                + "0464617461" // the data
                + "010170" // a declared producer p
                + "00ffffffffffffff0f" // its epoch and sequence
                + "0103612d31" // the stream sequence a-1
                + "01"); // closes
  }

  @Test
  void anAppendCostsFewBytesBesideItsData() {
    StreamChange change =
        new StreamChange.Appended(
            1000,
            NOW,
            AppendBody.of(Fixture.TEXT, new byte[100]),
            Optional.of(new BatchStamp(tuple("writer-1", 1, 100_000), false)),
            Optional.empty(),
            false);
    assertThat(encode(change).remaining() - 100).isLessThanOrEqualTo(30);
  }

  @Test
  void nothingLessAndNothingMoreThanAChangeIsRead() {
    for (StreamChange change : ALL) {
      byte[] whole = encode(change).array();
      for (int length = 0; length < whole.length; length++) {
        ByteBuffer part = ByteBuffer.wrap(whole, 0, length);
        assertThatThrownBy(() -> ChangeCodec.decode(part)).isInstanceOf(StoreException.class);
      }
      ByteBuffer more = ByteBuffer.allocate(whole.length + 1).put(whole).rewind();
      assertThatThrownBy(() -> ChangeCodec.decode(more)).isInstanceOf(StoreException.class);
    }
  }

  @Test
  void damageIsRefusedOrReadsAsAnotherChangeButNeverFailsOtherwise() {
    for (StreamChange change : ALL) {
      byte[] whole = encode(change).array();
      for (int i = 0; i < whole.length; i++) {
        for (int bit = 0; bit < 8; bit++) {
          whole[i] ^= (byte) (1 << bit);
          try {
            assertThat(ChangeCodec.decode(ByteBuffer.wrap(whole))).isNotNull();
          } catch (StoreException e) {
            assertThat(e).hasMessageContaining("can't be read");
          }
          whole[i] ^= (byte) (1 << bit);
        }
      }
    }
  }

  @Test
  void aLaterVersionIsRefused() {
    ByteBuffer later = encode(ALL.getFirst());
    later.put(0, (byte) (ChangeCodec.VERSION + 1));
    assertThatThrownBy(() -> ChangeCodec.decode(later))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("later version");
  }
}
