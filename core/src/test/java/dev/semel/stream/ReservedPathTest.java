package dev.semel.stream;

import static dev.semel.stream.Fixture.bytes;
import static dev.semel.stream.Fixture.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Streams that the server keeps for itself are streams like others, but nobody else's. */
final class ReservedPathTest {
  private static final StreamPath OWN = StreamPath.reserved("state");

  private final Fixture fixture =
      new Fixture(StreamLimits.defaults(), new StreamRetention(1, Duration.ofDays(1)));

  @Test
  void noTextFromOutsideLeadsToOne() {
    assertThat(OWN.isReserved()).isTrue();
    assertThat(new StreamPath("state").isReserved()).isFalse();
    assertThatThrownBy(() -> new StreamPath(OWN.text())).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> StreamPath.reserved("a/../b")).isInstanceOf(InvalidInput.class);
  }

  @Test
  void itIsReadAndWrittenButNotListed() {
    fixture.create(CreateRequest.of(OWN, ContentType.JSON).withBody(bytes("[1]")));
    fixture.create(CreateRequest.of(Fixture.PATH, ContentType.JSON));
    fixture.append(OWN, json("2"));
    assertThat(fixture.content(OWN)).isEqualTo("[1,2]");
    assertThat(Fixture.now(fixture.streams.list("", "", 10)))
        .extracting(StreamHead::path)
        .containsExactly(Fixture.PATH);
    assertThat(Fixture.now(fixture.streams.list(StreamPath.RESERVED, "", 10))).isEmpty();
  }

  @Test
  void noRetentionShortensIt() {
    for (StreamPath path : new StreamPath[] {OWN, Fixture.PATH}) {
      fixture.create(CreateRequest.of(path, ContentType.JSON));
      fixture.append(path, json("1"));
      fixture.append(path, json("2"));
    }
    fixture.advance(Duration.ofDays(2));
    assertThat(Fixture.now(fixture.streams.sweep())).isPositive();
    assertThat(fixture.found(Fixture.PATH).start()).isNotEqualTo(Offset.ZERO);
    assertThat(fixture.found(OWN).start()).isEqualTo(Offset.ZERO);
    assertThat(fixture.content(OWN)).isEqualTo("[1,2]");
  }

  @Test
  void itTakesNobodysPlace() {
    StreamLimits one = new StreamLimits(1, 1, 99, 99, 1, Duration.ofDays(1));
    Fixture small = new Fixture(one, StreamRetention.FOR_EVER);
    small.create(CreateRequest.of(OWN, ContentType.JSON));
    assertThat(small.create(CreateRequest.of(Fixture.PATH, ContentType.JSON)))
        .isInstanceOf(StreamResult.Created.class);
    assertThat(small.create(CreateRequest.of(StreamPath.reserved("more"), ContentType.JSON)))
        .isInstanceOf(StreamResult.Created.class);
    assertThat(small.create(CreateRequest.of(Fixture.path("other"), ContentType.JSON)))
        .isEqualTo(new StreamResult.Full("streams", 1));
  }

  @Test
  void aRecoveryFindsItAgain() {
    fixture.create(CreateRequest.of(OWN, ContentType.JSON).withBody(bytes("[1]")));
    assertThat(fixture.replayed()).isEqualTo(fixture.streams.table());
    assertThat(fixture.replayed().find(OWN)).isPresent();
  }
}
