package dev.semel.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamFork;
import dev.semel.stream.spi.StreamSeq;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class VocabularyTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "a/b/c", "orders 2026", "a..b", ".hidden", "größe", "a/__ds", "%2e"})
  void pathsThatNameOneStreamAreTaken(String text) {
    assertThat(new StreamPath(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/a",
        "a/",
        "a//b",
        "..",
        "a/../b",
        ".",
        "a/.",
        "a\\b",
        "a\u0000b",
        "a\nb",
        "a\u202Eb",
        "__ds",
        "__ds/subscriptions",
        "__dsx",
        "\uD800"
      })
  void pathsThatCouldMeanAnotherAreRefused(String text) {
    assertThatThrownBy(() -> new StreamPath(text)).isInstanceOf(InvalidInput.class);
  }

  @Test
  void pathsHaveALimitInBytes() {
    assertThat(new StreamPath("a".repeat(StreamPath.MAX_BYTES)).text()).hasSize(1024);
    assertThatThrownBy(() -> new StreamPath("a".repeat(StreamPath.MAX_BYTES + 1)))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> new StreamPath("ü".repeat(StreamPath.MAX_BYTES / 2 + 1)))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void offsetsSortAsTextLikeTheirPositions() {
    assertThat(
            LongStream.of(0, 9, 10, 99, 100, 1L << 40, 9_999_999_999_999_999L)
                .mapToObj(Offset::new)
                .map(Offset::text))
        .isSorted()
        .allSatisfy(text -> assertThat(Offset.parse(text).text()).isEqualTo(text));
    assertThat(new Offset(42)).hasToString("0000000000000000_0000000000000042");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "42",
        "0000000000000000_000000000000004",
        "0000000000000000_00000000000000042",
        "0000000000000001_0000000000000042",
        "0000000000000000-0000000000000042",
        "0000000000000000_00000000000000 2",
        "0000000000000000_000000000000-042",
        "0000000000000000_000000000000004٢",
        "-2",
        "NOW"
      })
  void otherOffsetsAreRefused(String text) {
    assertThatThrownBy(() -> ReadFrom.parse(text))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("is not an offset");
  }

  @Test
  void twoOffsetsHaveWords() {
    assertThat(ReadFrom.parse("-1")).isEqualTo(new ReadFrom.Start());
    assertThat(ReadFrom.parse("now")).isEqualTo(new ReadFrom.Now());
    assertThat(ReadFrom.parse(new Offset(7).text())).isEqualTo(new ReadFrom.At(new Offset(7)));
  }

  @Test
  void typesDifferByMediaTypeOnly() {
    ContentType json = ContentType.parse("Application/JSON; charset=utf-8");
    assertThat(json.json()).isTrue();
    assertThat(json).isEqualTo(ContentType.JSON).hasToString("Application/JSON; charset=utf-8");
    assertThat(ContentType.parse("application/json-seq").json()).isFalse();
    assertThat(ContentType.parse("text/plain")).isNotEqualTo(ContentType.parse("text/html"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "json", "/json", "text/", "text/pl\nain", "text/ü"})
  void textThatIsNoTypeIsRefused(String text) {
    assertThatThrownBy(() -> ContentType.parse(text)).isInstanceOf(InvalidInput.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "00", "01", "+1", "-1", "1.5", "1e3", "9007199254740992", "１"})
  void timesToLiveAreDigitsWithoutLeadingZeros(String ttl) {
    assertThatThrownBy(() -> StreamExpiry.parse(Optional.of(ttl), Optional.empty()))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void expiryIsIdleOrFixedAndNotBoth() {
    assertThat(StreamExpiry.parse(Optional.of("0"), Optional.empty()))
        .isEqualTo(new StreamExpiry.Idle(0));
    assertThat(StreamExpiry.parse(Optional.of("3600"), Optional.empty()))
        .isEqualTo(new StreamExpiry.Idle(3600));
    assertThat(StreamExpiry.parse(Optional.empty(), Optional.empty()))
        .isEqualTo(StreamExpiry.never());
    long noon = Instant.parse("2030-01-31T12:00:00Z").toEpochMilli();
    assertThat(StreamExpiry.parse(Optional.empty(), Optional.of("2030-01-31T13:00:00.000+01:00")))
        .isEqualTo(new StreamExpiry.At(noon));
    assertThatThrownBy(
            () -> StreamExpiry.parse(Optional.of("1"), Optional.of("2030-01-31T12:00:00Z")))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> StreamExpiry.parse(Optional.empty(), Optional.of("tomorrow")))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void theLongestIdleWindowDoesNotOverflow() {
    StreamExpiry longest = StreamExpiry.parse(Optional.of("9007199254740991"), Optional.empty());
    assertThat(longest.over(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli(), Long.MAX_VALUE))
        .isTrue();
    assertThat(longest.over(0, Instant.parse("2999-01-01T00:00:00Z").toEpochMilli())).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"1abc,0", "1e3,0", "-1,0", "'',0", "0,1abc", "0,-1", "0,9007199254740992", "' 1',0"})
  void producersCountInDigits(String epoch, String seq) {
    assertThatThrownBy(
            () -> ProducerTuple.parse(Optional.of("p"), Optional.of(epoch), Optional.of(seq)))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void producersNameAllThreeOrNone() {
    Optional<String> some = Optional.of("1");
    Optional<String> none = Optional.empty();
    assertThat(ProducerTuple.parse(none, none, none)).isEmpty();
    assertThat(ProducerTuple.parse(some, some, Optional.of("9007199254740991")))
        .contains(new ProducerTuple("1", 1, (1L << 53) - 1));
    assertThatThrownBy(() -> ProducerTuple.parse(some, some, none))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> ProducerTuple.parse(none, some, some))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> ProducerTuple.parse(Optional.of(""), some, some))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void streamSequencesCompareByBytes() {
    assertThat(new StreamSeq("2")).isGreaterThan(new StreamSeq("10"));
    assertThat(new StreamSeq("09")).isLessThan(new StreamSeq("10"));
    assertThat(new StreamSeq("a")).isGreaterThan(new StreamSeq("B"));
    assertThat(new StreamSeq("\uD83D\uDE00")).isGreaterThan(new StreamSeq("\uFF5E"));
    assertThatThrownBy(() -> new StreamSeq("")).isInstanceOf(InvalidInput.class);
  }

  @Test
  void aForkNamesItsSource() {
    Optional<String> none = Optional.empty();
    Optional<StreamPath> source = Optional.of(new StreamPath("s"));
    assertThat(StreamFork.parse(Optional.empty(), none, none)).isEmpty();
    assertThat(StreamFork.parse(source, none, Optional.of("0")))
        .contains(new StreamFork(source.get(), Optional.empty(), 0));
    assertThatThrownBy(() -> StreamFork.parse(Optional.empty(), none, Optional.of("0")))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> StreamFork.parse(source, none, Optional.of("1")))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> StreamFork.parse(source, Optional.of("-1"), none))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(
            () -> StreamFork.parse(source, Optional.of(Offset.ZERO.text()), Optional.of("-1")))
        .isInstanceOf(InvalidInput.class);
  }
}
