package dev.semel.stream;

import static dev.semel.stream.Fixture.PATH;
import static dev.semel.stream.Fixture.TEXT;
import static dev.semel.stream.Fixture.at;
import static dev.semel.stream.Fixture.json;
import static dev.semel.stream.Fixture.text;
import static dev.semel.stream.Fixture.tuple;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.AppendSender;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.StreamSeq;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

final class AppendRequestTest {
  private final Fixture fixture = new Fixture();

  private StreamResult.ToAppend append(AppendRequest request) {
    return fixture.append(request);
  }

  private static StreamResult.Appended appended(long start, long next) {
    return new StreamResult.Appended(at(start), at(next), false, Optional.empty());
  }

  @Test
  void appendsFollowEachOther() {
    fixture.create(TEXT);
    assertThat(append(text("one"))).isEqualTo(appended(0, 3));
    assertThat(append(text("two"))).isEqualTo(appended(3, 6));
    assertThat(fixture.content()).isEqualTo("onetwo");
    assertThat(fixture.found(PATH).tail()).isEqualTo(at(6));
  }

  @Test
  void appendsHandedOverTogetherAreAnsweredInOrder() {
    fixture.create(TEXT);
    List<StreamResult.ToAppend> answers = new ArrayList<>();
    fixture.streams.append(
        List.of(
            Fixture.submission(PATH, text("a").by(tuple("p", 0, 0)), answers::add),
            Fixture.submission(PATH, text("b").by(tuple("p", 0, 1)), answers::add),
            Fixture.submission(Fixture.path("none"), text("c"), answers::add),
            Fixture.submission(PATH, text("d").by(tuple("p", 0, 3)), answers::add)));
    assertThat(answers)
        .containsExactly(
            new StreamResult.Appended(at(0), at(1), false, Optional.of(tuple("p", 0, 0))),
            new StreamResult.Appended(at(1), at(2), false, Optional.of(tuple("p", 0, 1))),
            new StreamResult.Missing(),
            new StreamResult.Gap(2, 3));
  }

  @Test
  void nothingToDoAndBodiesWithoutATypeAreRefused() {
    assertThatThrownBy(() -> text("")).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(
            () ->
                new AppendRequest(
                    Optional.empty(),
                    AppendBody.of(TEXT, Fixture.bytes("x")),
                    false,
                    AppendSender.anonymous(),
                    Optional.empty(),
                    Optional.empty()))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void theTypeMustBeTheStreams() {
    fixture.create(TEXT);
    assertThat(append(json("1"))).isEqualTo(new StreamResult.OtherType(TEXT));
    assertThat(append(AppendRequest.of(ContentType.parse("Text/PLAIN;a=b"), Fixture.bytes("x"))))
        .isEqualTo(appended(0, 1));
  }

  @Test
  void jsonThatIsNoneWritesNothing() {
    fixture.create(ContentType.JSON);
    assertThat(append(json("[1,"))).isInstanceOf(StreamResult.Malformed.class);
    assertThat(append(json("[]"))).isInstanceOf(StreamResult.Malformed.class);
    assertThat(append(json("[]").closing())).isInstanceOf(StreamResult.Malformed.class);
    assertThat(append(json("[[1,2],3]"))).isInstanceOf(StreamResult.Appended.class);
    assertThat(fixture.content()).isEqualTo("[[1,2],3]");
  }

  @Test
  void streamSequencesOnlyGrow() {
    fixture.create(TEXT);
    append(text("a").withSeq("2"));
    assertThat(append(text("b").withSeq("10")))
        .isEqualTo(new StreamResult.SeqRegression(new StreamSeq("2")));
    assertThat(append(text("b").withSeq("2"))).isInstanceOf(StreamResult.SeqRegression.class);
    assertThat(append(text("b"))).isInstanceOf(StreamResult.Appended.class);
    assertThat(append(text("c").withSeq("3"))).isInstanceOf(StreamResult.Appended.class);
    assertThat(fixture.content()).isEqualTo("abc");
  }

  /** Compare-and-append: two who read the same tail can't both go on from it. */
  @Test
  void onlyOneGoesOnFromATail() {
    fixture.create(TEXT);
    append(text("one"));
    assertThat(append(text("A").ifMatch(at(3)))).isEqualTo(appended(3, 4));
    assertThat(append(text("B").ifMatch(at(3)))).isEqualTo(new StreamResult.TailMoved(at(4)));
    assertThat(append(AppendRequest.closeOnly().ifMatch(at(3))))
        .isEqualTo(new StreamResult.TailMoved(at(4)));
    assertThat(append(text("B").ifMatch(at(4)))).isEqualTo(appended(4, 5));
    assertThat(fixture.content()).isEqualTo("oneAB");
  }

  /** Which of several errors of a request is answered. */
  @Nested
  class Precedence {
    private final AppendRequest wrong = json("[").by(tuple("p", 0, 5)).withSeq("0").ifMatch(at(99));

    @Test
    void missingGoesFirst() {
      assertThat(append(wrong)).isEqualTo(new StreamResult.Missing());
    }

    @Test
    void thenClosed() {
      fixture.create(TEXT);
      append(AppendRequest.closeOnly());
      assertThat(append(wrong)).isEqualTo(new StreamResult.StreamClosed(at(0)));
    }

    @Test
    void thenTheType() {
      fixture.create(TEXT);
      assertThat(append(wrong)).isEqualTo(new StreamResult.OtherType(TEXT));
    }

    @Test
    void thenTheProducerThenTheTailThenTheStreamSequenceThenTheBody() {
      fixture.create(ContentType.JSON);
      append(json("1").withSeq("1"));
      assertThat(append(wrong)).isEqualTo(new StreamResult.Gap(0, 5));
      AppendRequest next = wrong.by(tuple("p", 0, 0));
      assertThat(append(next)).isEqualTo(new StreamResult.TailMoved(at(2)));
      assertThat(append(next.ifMatch(at(2)))).isInstanceOf(StreamResult.SeqRegression.class);
      assertThat(append(next.ifMatch(at(2)).withSeq("2")))
          .isInstanceOf(StreamResult.Malformed.class);
      assertThat(append(json("2").by(tuple("p", 0, 0)).ifMatch(at(2)).withSeq("2")))
          .isInstanceOf(StreamResult.Appended.class);
    }

    @Test
    void aDuplicateIsOneWhateverElseIsWrongByNow() {
      fixture.create(ContentType.JSON);
      AppendRequest first = json("1").by(tuple("p", 0, 0)).withSeq("1").ifMatch(at(0));
      append(first);
      assertThat(append(first)).isInstanceOf(StreamResult.Duplicate.class);
      assertThat(append(json("[").by(tuple("p", 0, 0)))).isInstanceOf(StreamResult.Duplicate.class);
      assertThat(fixture.content()).isEqualTo("[1]");
    }
  }
}
