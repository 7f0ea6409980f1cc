package dev.semel.stream.internal;

import static dev.semel.stream.Fixture.TEXT;
import static dev.semel.stream.Fixture.at;
import static dev.semel.stream.Fixture.text;
import static dev.semel.stream.Fixture.tuple;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.stream.Fixture;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.AppendSender;
import dev.semel.stream.spi.StreamResult;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ManagedEpochsTest {
  private final Fixture fixture = new Fixture();

  @BeforeEach
  void create() {
    fixture.create(TEXT);
  }

  private StreamResult.ToAppend send(String data, long seq) {
    return fixture.append(text(data).by(new AppendSender.Managed("p", OptionalLong.empty(), seq)));
  }

  private StreamResult.ToAppend send(String data, long epoch, long seq) {
    return fixture.append(
        text(data).by(new AppendSender.Managed("p", OptionalLong.of(epoch), seq)));
  }

  private static long epoch(StreamResult.ToAppend answer) {
    return ((StreamResult.Appended) answer).producer().orElseThrow().epoch();
  }

  @Test
  void theFirstEpochIsOne() {
    assertThat(send("a", 0))
        .isEqualTo(new StreamResult.Appended(at(0), at(1), false, Optional.of(tuple("p", 1, 0))));
    assertThat(epoch(send("b", 1))).isEqualTo(1);
  }

  @Test
  void gapsAndRepetitionsAreAsEverywhere() {
    assertThat(send("b", 1)).isEqualTo(new StreamResult.Gap(0, 1));
    send("a", 0);
    send("b", 1);
    assertThat(send("x", 1)).isInstanceOf(StreamResult.Duplicate.class);
    assertThat(send("d", 3)).isEqualTo(new StreamResult.Gap(2, 3));
  }

  @Test
  void theFirstBatchAgainIsARepetitionWhileItCouldBeARetry() {
    for (int last = 0; last < 5; last++) {
      send("s" + last, last);
      assertThat(send("s0", 0))
          .as("last sequence %d", last)
          .isInstanceOf(StreamResult.Duplicate.class);
    }
    send("s5", 5);
    assertThat(epoch(send("s0", 0))).isEqualTo(2);
  }

  @Test
  void otherBytesAreARestart() {
    send("a", 0);
    send("b", 1);
    assertThat(epoch(send("c", 0))).isEqualTo(2);
    assertThat(send("c", 0)).isInstanceOf(StreamResult.Duplicate.class);
    assertThat(epoch(send("d", 1))).isEqualTo(2);
    assertThat(fixture.content()).isEqualTo("abcd");
  }

  @Test
  void whoNamesAnEpochIsFencedByIt() {
    send("a", 0);
    send("b", 1, 1);
    send("c", 0);
    assertThat(send("z", 1, 2)).isEqualTo(new StreamResult.StaleEpoch(2));
    assertThat(send("z", 1, 0)).isEqualTo(new StreamResult.StaleEpoch(2));
    assertThat(send("z", 3, 1)).isInstanceOf(StreamResult.Malformed.class);
    assertThat(send("d", 2, 1)).isInstanceOf(StreamResult.Appended.class);
    assertThat(fixture.content()).isEqualTo("abcd");
  }

  @Test
  void whoNamesTheCurrentEpochHasNotRestarted() {
    send("a", 0);
    assertThat(send("other", 1, 0)).isInstanceOf(StreamResult.Duplicate.class);
  }

  @Test
  void theTwoKindsOfProducersAreKeptApart() {
    send("a", 0);
    assertThat(fixture.append(text("b").by(tuple("p", 0, 0))))
        .isInstanceOf(StreamResult.Appended.class);
    assertThat(epoch(send("c", 1))).isEqualTo(1);
  }

  @Test
  void theBatchThatClosedIsRecognised() {
    AppendSender first = new AppendSender.Managed("p", OptionalLong.empty(), 0);
    fixture.append(text("a").by(first).closing());
    assertThat(fixture.append(text("a").by(first).closing()))
        .isEqualTo(
            new StreamResult.Duplicate(
                tuple("p", 1, 0), Optional.of(new StreamResult.Batch(at(0), at(1))), at(1), true));
    assertThat(send("b", 1)).isEqualTo(new StreamResult.StreamClosed(at(1)));
    assertThat(fixture.append(AppendRequest.closeOnly().by(tuple("p", 1, 0))))
        .isEqualTo(new StreamResult.StreamClosed(at(1)));
  }

  @Test
  void whoRestartsBehindTheEndIsNotToldThatItsDataIsThere() {
    AppendSender first = new AppendSender.Managed("p", OptionalLong.empty(), 0);
    fixture.append(text("a").by(first).closing());
    StreamResult.StreamClosed refused = new StreamResult.StreamClosed(at(1));
    assertThat(fixture.append(text("other").by(first).closing())).isEqualTo(refused);
    assertThat(send("other", 0)).isEqualTo(refused);
    assertThat(send("other", 1, 0)).isInstanceOf(StreamResult.Duplicate.class); // has not restarted
    fixture.streams.fence(Fixture.PATH, "p", true, 7);
    assertThat(send("a", 0)).as("nobody knows any more").isEqualTo(refused);
  }
}
