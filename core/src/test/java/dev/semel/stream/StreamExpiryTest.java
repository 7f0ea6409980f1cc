package dev.semel.stream;

import static dev.semel.stream.Fixture.PATH;
import static dev.semel.stream.Fixture.TEXT;
import static dev.semel.stream.Fixture.at;
import static dev.semel.stream.Fixture.text;
import static dev.semel.stream.Fixture.tuple;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamResult;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StreamExpiryTest {
  private final Fixture fixture = new Fixture();

  private void idleAfterTen() {
    fixture.create(CreateRequest.of(PATH, TEXT).withExpiry(new StreamExpiry.Idle(10)));
    fixture.append(text("abc").by(tuple("p", 0, 0)));
  }

  private void seconds(int seconds) {
    fixture.advance(Duration.ofSeconds(seconds));
  }

  @Test
  void anIdleStreamIsMissingForEveryone() {
    idleAfterTen();
    seconds(10);
    assertThat(fixture.head(PATH)).isEqualTo(new StreamResult.Missing());
    assertThat(fixture.append(text("x"))).isEqualTo(new StreamResult.Missing());
    assertThat(fixture.read(PATH, new ReadFrom.Start(), 9)).isEqualTo(new StreamResult.Missing());
    assertThat(fixture.delete(PATH)).isEqualTo(new StreamResult.Missing());
    assertThat(Fixture.now(fixture.streams.touch(PATH))).isFalse();
    assertThat(Fixture.now(fixture.streams.list("", "", 9))).isEmpty();
    assertThat(Fixture.now(fixture.streams.producers(PATH))).isEmpty();
    assertThat(Fixture.now(fixture.streams.fence(PATH, "p", false, 9))).isFalse();
  }

  @Test
  void itsPathIsFreeEvenBeforeASweep() {
    idleAfterTen();
    seconds(10);
    assertThat(fixture.create(CreateRequest.of(PATH, ContentType.JSON)))
        .isInstanceOf(StreamResult.Created.class);
    assertThat(fixture.content()).isEqualTo("[]");
    assertThat(fixture.replayed().size()).isEqualTo(1);
  }

  @Test
  void everyoneWhoIsServedBeginsTheWindowAgain() {
    Map<String, Runnable> users =
        Map.of(
            "append", () -> fixture.append(text("x")),
            "duplicate", () -> fixture.append(text("abc").by(tuple("p", 0, 0))),
            "read", () -> fixture.content(),
            "now", () -> fixture.read(PATH, new ReadFrom.Now(), 9),
            "waiting", () -> fixture.streams.touch(PATH),
            "close", () -> fixture.append(AppendRequest.closeOnly()));
    idleAfterTen();
    users.forEach(
        (name, use) -> {
          seconds(9);
          use.run();
          seconds(9);
          assertThat(fixture.head(PATH)).as(name).isInstanceOf(StreamResult.Found.class);
          fixture.delete(PATH);
          idleAfterTen();
        });
  }

  @Test
  void closingAgainBeginsItToo() {
    idleAfterTen();
    fixture.append(AppendRequest.closeOnly());
    seconds(9);
    fixture.append(AppendRequest.closeOnly());
    seconds(9);
    assertThat(fixture.head(PATH)).isInstanceOf(StreamResult.Found.class);
  }

  @Test
  void lookingDoesNot() {
    idleAfterTen();
    seconds(9);
    assertThat(fixture.head(PATH)).isInstanceOf(StreamResult.Found.class);
    seconds(1);
    assertThat(fixture.head(PATH)).isEqualTo(new StreamResult.Missing());
  }

  @Test
  void aFixedTimeDoesNotMove() {
    fixture.create(
        CreateRequest.of(PATH, TEXT).withExpiry(new StreamExpiry.At(fixture.millis() + 10_000)));
    seconds(9);
    fixture.append(text("x"));
    fixture.content();
    seconds(1);
    assertThat(fixture.head(PATH)).isEqualTo(new StreamResult.Missing());
  }

  @Test
  void aSweepEndsWhatHasExpiredAndWakesItsReaders() {
    idleAfterTen();
    int[] woken = {0};
    assertThat(fixture.streams.await(PATH, at(3), () -> woken[0]++)).isPresent();
    seconds(9);
    assertThat(Fixture.now(fixture.streams.sweep())).isZero();
    seconds(1);
    assertThat(Fixture.now(fixture.streams.sweep())).isEqualTo(1);
    assertThat(woken[0]).isEqualTo(1);
    assertThat(fixture.replayed().size()).isZero();
  }

  @Test
  void nothingIsWrittenForReadersOfStreamsThatStay() {
    fixture.create(TEXT);
    fixture.content();
    fixture.streams.touch(PATH);
    assertThat(fixture.changes).hasSize(1);
  }
}
