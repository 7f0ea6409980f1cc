package dev.semel.stream;

import static dev.semel.stream.Fixture.PATH;
import static dev.semel.stream.Fixture.TEXT;
import static dev.semel.stream.Fixture.at;
import static dev.semel.stream.Fixture.json;
import static dev.semel.stream.Fixture.text;
import static dev.semel.stream.Fixture.tuple;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.stream.internal.StreamChange;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.AppendSender;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.StreamResult;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CloseTest {
  private final Fixture fixture = new Fixture();

  @BeforeEach
  void create() {
    fixture.create(TEXT);
    fixture.append(text("abc"));
  }

  private StreamResult.ToAppend append(AppendRequest request) {
    return fixture.append(request);
  }

  @Test
  void closingIsIdempotentAndFinal() {
    StreamResult.Closed closed = new StreamResult.Closed(at(3), Optional.empty());
    assertThat(append(AppendRequest.closeOnly())).isEqualTo(closed);
    assertThat(append(AppendRequest.closeOnly())).isEqualTo(closed);
    assertThat(append(text("d"))).isEqualTo(new StreamResult.StreamClosed(at(3)));
    assertThat(append(text("d").closing())).isEqualTo(new StreamResult.StreamClosed(at(3)));
    assertThat(fixture.found(PATH).closed()).isTrue();
    assertThat(fixture.content()).isEqualTo("abc");
    assertThat(fixture.append(Fixture.path("none"), AppendRequest.closeOnly()))
        .isEqualTo(new StreamResult.Missing());
  }

  @Test
  void closingAloneHasNoTypeToGetWrong() {
    AppendRequest closing =
        new AppendRequest(
            Optional.of(ContentType.JSON),
            AppendBody.EMPTY,
            true,
            AppendSender.anonymous(),
            Optional.empty(),
            Optional.empty());
    assertThat(append(closing)).isInstanceOf(StreamResult.Closed.class);
  }

  @Test
  void theLastAppendClosesInOneStep() {
    assertThat(append(text("d").closing()))
        .isEqualTo(new StreamResult.Appended(at(3), at(4), true, Optional.empty()));
    assertThat(fixture.changes.getLast())
        .isInstanceOfSatisfying(StreamChange.Appended.class, c -> assertThat(c.closes()).isTrue());
    assertThat(append(text("d").closing())).isEqualTo(new StreamResult.StreamClosed(at(4)));
  }

  @Test
  void aFailedAppendDoesNotClose() {
    assertThat(append(json("1").closing())).isInstanceOf(StreamResult.OtherType.class);
    assertThat(append(text("x").closing().by(tuple("p", 0, 2))))
        .isInstanceOf(StreamResult.Gap.class);
    assertThat(fixture.found(PATH).closed()).isFalse();
  }

  @Test
  void theClosingBatchIsRecognisedWhateverItHolds() {
    append(text("d").by(tuple("p", 0, 0)));
    append(text("e").by(tuple("p", 0, 1)).closing());
    StreamResult.Duplicate again =
        new StreamResult.Duplicate(
            tuple("p", 0, 1), Optional.of(new StreamResult.Batch(at(4), at(5))), at(5), true);
    assertThat(append(text("e").by(tuple("p", 0, 1)).closing())).isEqualTo(again);
    assertThat(append(text("other").by(tuple("p", 0, 1)))).isEqualTo(again);
    assertThat(append(AppendRequest.closeOnly().by(tuple("p", 0, 1)))).isEqualTo(again);
    for (ProducerTuple other :
        new ProducerTuple[] {
          tuple("p", 0, 0), tuple("p", 0, 2), tuple("p", 1, 1), tuple("p", 1, 0), tuple("q", 0, 1)
        }) {
      assertThat(append(AppendRequest.closeOnly().by(other)))
          .isEqualTo(new StreamResult.StreamClosed(at(5)));
      assertThat(append(text("x").by(other))).isEqualTo(new StreamResult.StreamClosed(at(5)));
    }
  }

  @Test
  void closingAloneCountsAsABatch() {
    append(text("d").by(tuple("p", 0, 0)));
    assertThat(append(AppendRequest.closeOnly().by(tuple("p", 0, 2))))
        .isEqualTo(new StreamResult.Gap(1, 2));
    assertThat(append(AppendRequest.closeOnly().by(tuple("p", 0, 1))))
        .isEqualTo(new StreamResult.Closed(at(4), Optional.of(tuple("p", 0, 1))));
    assertThat(append(AppendRequest.closeOnly().by(tuple("p", 0, 1))))
        .isInstanceOfSatisfying(StreamResult.Duplicate.class, d -> assertThat(d.closed()).isTrue());
  }

  @Test
  void theClosingBatchStaysKnownWhenItsProducerIsForgotten() {
    append(text("e").by(tuple("p", 0, 0)).closing());
    fixture.advance(Duration.ofDays(8));
    fixture.streams.sweep();
    assertThat(Fixture.now(fixture.streams.producers(PATH))).isEmpty();
    assertThat(append(text("e").by(tuple("p", 0, 0)).closing()))
        .isEqualTo(new StreamResult.Duplicate(tuple("p", 0, 0), Optional.empty(), at(4), true));
  }
}
