package dev.semel.stream;

import static dev.semel.stream.Fixture.PATH;
import static dev.semel.stream.Fixture.TEXT;
import static dev.semel.stream.Fixture.at;
import static dev.semel.stream.Fixture.json;
import static dev.semel.stream.Fixture.text;
import static dev.semel.stream.Fixture.tuple;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.AppendSender;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.StreamResult;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ProducersTest {
  private final Fixture fixture = new Fixture();

  @BeforeEach
  void create() {
    fixture.create(TEXT);
  }

  private StreamResult.ToAppend send(long epoch, long seq) {
    return fixture.append(text("e" + epoch + "s" + seq + ";").by(tuple("p", epoch, seq)));
  }

  private static StreamResult.Duplicate duplicate(long epoch, long highest, long start, long tail) {
    return new StreamResult.Duplicate(
        tuple("p", epoch, highest),
        Optional.of(new StreamResult.Batch(at(start), at(start + 5))),
        at(tail),
        false);
  }

  @Test
  void anUnknownProducerBeginsWithZeroInAnyEpoch() {
    assertThat(send(7, 1)).isEqualTo(new StreamResult.Gap(0, 1));
    assertThat(send(7, 0))
        .isEqualTo(new StreamResult.Appended(at(0), at(5), false, Optional.of(tuple("p", 7, 0))));
  }

  @Test
  void batchesFollowEachOtherWithoutGaps() {
    send(0, 0);
    send(0, 1);
    assertThat(send(0, 3)).isEqualTo(new StreamResult.Gap(2, 3));
    assertThat(send(0, 2)).isInstanceOf(StreamResult.Appended.class);
    assertThat(send(0, 3)).isInstanceOf(StreamResult.Appended.class);
    assertThat(fixture.content()).isEqualTo("e0s0;e0s1;e0s2;e0s3;");
  }

  @Test
  void aBatchOfTheLastFiveIsAnsweredWithItsFirstOffset() {
    for (int seq = 0; seq < 7; seq++) {
      send(0, seq);
    }
    for (int seq = 2; seq < 7; seq++) {
      assertThat(send(0, seq)).isEqualTo(duplicate(0, 6, 5L * seq, 35));
    }
    for (int seq = 0; seq < 2; seq++) {
      assertThat(send(0, seq))
          .isEqualTo(new StreamResult.Duplicate(tuple("p", 0, 6), Optional.empty(), at(35), false));
    }
    assertThat(fixture.content()).hasSize(35);
  }

  @Test
  void aNewEpochBeginsWithZero() {
    send(0, 0);
    assertThat(send(1, 1)).isInstanceOf(StreamResult.Malformed.class);
    assertThat(send(2, 0)).isInstanceOf(StreamResult.Appended.class);
    assertThat(send(2, 0)).isEqualTo(duplicate(2, 0, 5, 10));
  }

  @Test
  void batchesOfAnEarlierEpochAreNotRememberedInTheNext() {
    for (int seq = 0; seq < 5; seq++) {
      send(0, seq);
    }
    send(1, 0);
    assertThat(send(1, 3)).isEqualTo(new StreamResult.Gap(1, 3));
    assertThat(send(1, 0)).isEqualTo(duplicate(1, 0, 25, 30));
  }

  /** Two with one id: the one that came back from the dead writes nothing. */
  @Test
  void theOldEpochIsFencedAndWritesNothing() {
    send(0, 0);
    send(0, 1);
    send(1, 0);
    for (int seq = 0; seq < 5; seq++) {
      assertThat(send(0, seq)).isEqualTo(new StreamResult.StaleEpoch(1));
      assertThat(fixture.append(AppendRequest.closeOnly().by(tuple("p", 0, seq))))
          .isEqualTo(new StreamResult.StaleEpoch(1));
    }
    assertThat(send(1, 1)).isInstanceOf(StreamResult.Appended.class);
    assertThat(fixture.content()).isEqualTo("e0s0;e0s1;e1s0;e1s1;");
  }

  @Test
  void producersAndStreamsDoNotKnowEachOther() {
    send(4, 0);
    assertThat(fixture.append(text("x").by(tuple("q", 0, 0))))
        .isInstanceOf(StreamResult.Appended.class);
    fixture.create(CreateRequest.of(Fixture.path("other"), TEXT));
    assertThat(fixture.append(Fixture.path("other"), text("x").by(tuple("p", 0, 0))))
        .isInstanceOf(StreamResult.Appended.class);
  }

  @Test
  void aBatchThatFailedWasNotCounted() {
    fixture.create(CreateRequest.of(Fixture.path("j"), ContentType.JSON));
    AppendRequest good = json("1").by(tuple("p", 0, 0));
    AppendRequest[] bad = {
      json("{").by(tuple("p", 0, 0)),
      json("[]").by(tuple("p", 0, 0)),
      text("1").by(tuple("p", 0, 0)),
      good.ifMatch(at(7)),
    };
    for (AppendRequest each : bad) {
      assertThat(fixture.append(Fixture.path("j"), each))
          .isNotInstanceOfAny(StreamResult.Appended.class, StreamResult.Duplicate.class);
    }
    assertThat(fixture.append(Fixture.path("j"), good)).isInstanceOf(StreamResult.Appended.class);
  }

  @Test
  void aRestartedProducerCanAskWhereItWas() {
    send(3, 0);
    send(3, 1);
    fixture.append(text("x").by(new AppendSender.Managed("a", OptionalLong.empty(), 0)));
    assertThat(Fixture.now(fixture.streams.producers(PATH)))
        .containsExactly(
            new StreamResult.Producer("a", true, 1, OptionalLong.of(0), fixture.millis()),
            new StreamResult.Producer("p", false, 3, OptionalLong.of(1), fixture.millis()));
  }

  @Test
  void anOperatorCanFence() {
    send(1, 0);
    assertThat(Fixture.now(fixture.streams.fence(PATH, "p", false, 1))).isFalse();
    assertThat(Fixture.now(fixture.streams.fence(PATH, "nobody", false, 9))).isFalse();
    assertThat(Fixture.now(fixture.streams.fence(PATH, "p", false, 5))).isTrue();
    assertThat(send(1, 1)).isEqualTo(new StreamResult.StaleEpoch(5));
    assertThat(send(5, 1)).isEqualTo(new StreamResult.Gap(0, 1));
    assertThat(send(5, 0)).isInstanceOf(StreamResult.Appended.class);
  }

  @Test
  void aProducerThatIsLongIdleIsForgotten() {
    send(1, 0);
    fixture.advance(Duration.ofDays(7).minusMillis(1));
    assertThat(Fixture.now(fixture.streams.sweep())).isZero();
    assertThat(send(0, 0)).isEqualTo(new StreamResult.StaleEpoch(1));
    fixture.advance(Duration.ofMillis(1));
    assertThat(Fixture.now(fixture.streams.sweep())).isEqualTo(1);
    assertThat(Fixture.now(fixture.streams.producers(PATH))).isEmpty();
    assertThat(send(0, 0)).isInstanceOf(StreamResult.Appended.class);
  }
}
