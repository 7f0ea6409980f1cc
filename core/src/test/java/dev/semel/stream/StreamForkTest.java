package dev.semel.stream;

import static dev.semel.stream.Fixture.PATH;
import static dev.semel.stream.Fixture.TEXT;
import static dev.semel.stream.Fixture.at;
import static dev.semel.stream.Fixture.bytes;
import static dev.semel.stream.Fixture.json;
import static dev.semel.stream.Fixture.path;
import static dev.semel.stream.Fixture.text;
import static dev.semel.stream.Fixture.tuple;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.DataSlice;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamFork;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.StreamResult.Conflict.Reason;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

final class StreamForkTest {
  private static final StreamPath FORK = path("fork");

  private final Fixture fixture = new Fixture();

  private static CreateRequest fork(StreamPath from) {
    return CreateRequest.fork(FORK, new StreamFork(from, Optional.empty(), 0));
  }

  private static CreateRequest fork(long offset, long beyond) {
    return CreateRequest.fork(FORK, new StreamFork(PATH, Optional.of(at(offset)), beyond));
  }

  @Nested
  class OfText {
    OfText() {
      fixture.create(TEXT);
      fixture.append(text("abc").by(tuple("p", 5, 0)).withSeq("9"));
      fixture.append(text("def"));
    }

    @Test
    void inheritsEverythingUpToTheTailAndNothingAfter() {
      assertThat(fixture.create(fork(PATH))).isInstanceOf(StreamResult.Created.class);
      fixture.append(text("SOURCE"));
      fixture.append(FORK, text("ghi"));
      assertThat(fixture.content(FORK)).isEqualTo("abcdefghi");
      assertThat(fixture.content()).isEqualTo("abcdefSOURCE");
      assertThat(fixture.found(FORK).tail()).isEqualTo(at(9));
    }

    @Test
    void sharesTheOffsetsOfWhatItInherits() {
      fixture.create(fork(3, 0));
      assertThat(fixture.content(FORK)).isEqualTo("abc");
      assertThat(fixture.append(FORK, text("X")))
          .isEqualTo(new StreamResult.Appended(at(3), at(4), false, Optional.empty()));
      DataSlice slice = fixture.slice(FORK, new ReadFrom.At(at(1)), 100);
      assertThat(Fixture.content(slice)).isEqualTo("bcX");
    }

    @Test
    void mayBeginWithinTheAppendBehindTheOffset() {
      assertThat(fixture.create(fork(3, 4))).isInstanceOf(StreamResult.Malformed.class);
      assertThat(fixture.create(fork(6, 1))).isInstanceOf(StreamResult.Malformed.class);
      assertThat(fixture.create(fork(3, 2))).isInstanceOf(StreamResult.Created.class);
      assertThat(fixture.content(FORK)).isEqualTo("abcde");
      assertThat(fixture.create(fork(3, 2))).isInstanceOf(StreamResult.Existed.class);
      assertThat(fixture.create(fork(3, 1))).isInstanceOf(StreamResult.Conflict.class);
      assertThat(fixture.create(fork(0, 2))).isInstanceOf(StreamResult.Conflict.class);
    }

    @Test
    void aWholeAppendBeyondTheOffsetIsStillWithinIt() {
      assertThat(fixture.create(fork(0, 3))).isInstanceOf(StreamResult.Created.class);
      assertThat(fixture.content(FORK)).isEqualTo("abc");
    }

    @Test
    void doesNotInheritProducersNorTheStreamSequence() {
      fixture.create(fork(PATH));
      assertThat(fixture.append(FORK, text("x").by(tuple("p", 0, 0)).withSeq("1")))
          .isInstanceOf(StreamResult.Appended.class);
    }

    @Test
    void itsFirstBodyFollowsWhatItInherits() {
      fixture.create(fork(PATH).withBody(bytes("!")));
      assertThat(fixture.content(FORK)).isEqualTo("abcdef!");
    }

    @Test
    void aClosedSourceHasOpenForks() {
      fixture.append(AppendRequest.closeOnly());
      fixture.create(fork(PATH));
      assertThat(fixture.found(FORK).closed()).isFalse();
      assertThat(fixture.append(FORK, text("x"))).isInstanceOf(StreamResult.Appended.class);
    }

    @Test
    void isCreatedOnceEvenIfTheSourceHasGrownOrGone() {
      fixture.create(fork(PATH));
      fixture.append(text("more"));
      assertThat(fixture.create(fork(PATH))).isInstanceOf(StreamResult.Existed.class);
      assertThat(fixture.create(fork(6, 0))).isInstanceOf(StreamResult.Existed.class);
      assertThat(fixture.create(fork(3, 0))).isInstanceOf(StreamResult.Conflict.class);
      assertThat(fixture.create(CreateRequest.of(FORK, TEXT)))
          .isInstanceOf(StreamResult.Conflict.class);
      fixture.delete(PATH);
      assertThat(fixture.create(fork(PATH))).isInstanceOf(StreamResult.Existed.class);
    }

    @Test
    void whatCanNotBeForkedIsRefusedAndLeavesNoReference() {
      assertThat(fixture.create(fork(path("none")))).isEqualTo(new StreamResult.SourceMissing());
      assertThat(fixture.create(fork(FORK))).isEqualTo(new StreamResult.SourceMissing());
      assertThat(fixture.create(fork(7, 0))).isInstanceOf(StreamResult.Malformed.class);
      CreateRequest json =
          new CreateRequest(
              FORK,
              Optional.of(ContentType.JSON),
              StreamExpiry.never(),
              false,
              AppendBody.EMPTY,
              Optional.of(new StreamFork(PATH, Optional.empty(), 0)));
      assertThat(fixture.create(json))
          .isEqualTo(new StreamResult.Conflict(Reason.OTHER_TYPE_THAN_SOURCE));
      fixture.delete(PATH);
      assertThat(fixture.head(PATH)).isEqualTo(new StreamResult.Missing());
    }

    @Test
    void readersOfAForkWaitForItsOwnAppendsOnly() {
      fixture.create(fork(PATH));
      int[] woken = {0};
      fixture.streams.await(FORK, at(6), () -> woken[0]++);
      fixture.append(text("source"));
      assertThat(woken[0]).isZero();
      fixture.append(FORK, text("own"));
      assertThat(woken[0]).isEqualTo(1);
    }

    @Test
    void aDeletedSourceIsKeptForItsForksOnly() {
      fixture.create(fork(PATH));
      assertThat(fixture.delete(PATH)).isEqualTo(new StreamResult.Deleted());
      assertThat(fixture.delete(PATH)).isEqualTo(new StreamResult.Gone());
      assertThat(fixture.head(PATH)).isEqualTo(new StreamResult.Gone());
      assertThat(fixture.append(text("x"))).isEqualTo(new StreamResult.Gone());
      assertThat(fixture.read(PATH, new ReadFrom.Start(), 9)).isEqualTo(new StreamResult.Gone());
      assertThat(fixture.create(TEXT))
          .isEqualTo(new StreamResult.Conflict(Reason.PATH_HELD_FOR_FORKS));
      assertThat(
              fixture.create(
                  CreateRequest.fork(path("b"), new StreamFork(PATH, Optional.empty(), 0))))
          .isEqualTo(new StreamResult.Conflict(Reason.SOURCE_GONE));
      assertThat(fixture.content(FORK)).isEqualTo("abcdef");
      fixture.delete(FORK);
      assertThat(fixture.head(PATH)).isEqualTo(new StreamResult.Missing());
      assertThat(fixture.create(TEXT)).isInstanceOf(StreamResult.Created.class);
      assertThat(fixture.content()).isEmpty();
    }

    @Test
    void chainsReadThroughAndGoTogether() {
      fixture.create(fork(5, 0));
      fixture.append(FORK, text("12"));
      StreamPath third = path("third");
      fixture.create(CreateRequest.fork(third, new StreamFork(FORK, Optional.of(at(6)), 0)));
      fixture.append(third, text("z"));
      assertThat(fixture.content(third)).isEqualTo("abcde1z");
      assertThat(Fixture.content(fixture.slice(third, new ReadFrom.At(at(2)), 4)))
          .isEqualTo("cde1");
      StreamPath early = path("early");
      fixture.create(CreateRequest.fork(early, new StreamFork(third, Optional.of(at(2)), 0)));
      assertThat(fixture.content(early)).isEqualTo("ab");
      fixture.delete(early);

      fixture.delete(PATH);
      fixture.delete(FORK);
      assertThat(fixture.content(third)).isEqualTo("abcde1z");
      assertThat(fixture.head(PATH)).isEqualTo(new StreamResult.Gone());
      fixture.delete(third);
      assertThat(fixture.head(PATH)).isEqualTo(new StreamResult.Missing());
      assertThat(fixture.head(FORK)).isEqualTo(new StreamResult.Missing());
    }
  }

  @Nested
  class OfJson {
    OfJson() {
      fixture.create(ContentType.JSON);
      fixture.append(json("[1,22]"));
      fixture.append(json("[{\"a\":[3,4]},5,6]"));
    }

    @Test
    void countsMessagesBeyondTheOffset() {
      assertThat(fixture.create(fork(5, 4))).isInstanceOf(StreamResult.Malformed.class);
      assertThat(fixture.create(fork(5, 2))).isInstanceOf(StreamResult.Created.class);
      fixture.append(FORK, json("7"));
      assertThat(fixture.content(FORK)).isEqualTo("[1,22,{\"a\":[3,4]},5,7]");
    }

    @Test
    void anOffsetWithinAMessageIsNone() {
      assertThat(fixture.create(fork(1, 0))).isInstanceOf(StreamResult.Malformed.class);
      assertThat(fixture.create(fork(14, 0))).isInstanceOf(StreamResult.Malformed.class);
    }

    @Test
    void itsFirstBodyIsFlattenedByTheSourcesType() {
      fixture.create(fork(PATH).withBody(bytes("[7,8]")));
      assertThat(fixture.content(FORK)).isEqualTo("[1,22,{\"a\":[3,4]},5,6,7,8]");
    }
  }

  @Nested
  class WithExpiry {
    private void source(StreamExpiry expiry) {
      fixture.create(CreateRequest.of(PATH, TEXT).withExpiry(expiry));
      fixture.append(text("abc"));
    }

    @Test
    void inheritsTheWindowAsItsOwn() {
      source(new StreamExpiry.Idle(10));
      fixture.create(fork(PATH));
      assertThat(fixture.found(FORK).config().expiry()).isEqualTo(new StreamExpiry.Idle(10));
      fixture.advance(Duration.ofSeconds(9));
      fixture.append(FORK, text("x"));
      fixture.advance(Duration.ofSeconds(9));
      assertThat(fixture.head(PATH)).isEqualTo(new StreamResult.Gone());
      assertThat(fixture.content(FORK)).isEqualTo("abcx");
    }

    @Test
    void mayOutliveItsSource() {
      source(new StreamExpiry.At(fixture.millis() + 1000));
      fixture.create(fork(PATH).withExpiry(new StreamExpiry.Idle(60)));
      fixture.advance(Duration.ofSeconds(1));
      assertThat(fixture.head(PATH)).isEqualTo(new StreamResult.Gone());
      assertThat(fixture.create(CreateRequest.of(PATH, TEXT)))
          .isEqualTo(new StreamResult.Conflict(Reason.PATH_HELD_FOR_FORKS));
      assertThat(Fixture.now(fixture.streams.sweep())).isEqualTo(1);
      assertThat(fixture.head(PATH)).isEqualTo(new StreamResult.Gone());
      assertThat(fixture.content(FORK)).isEqualTo("abc");
      fixture.advance(Duration.ofSeconds(60));
      fixture.streams.sweep();
      assertThat(fixture.head(PATH)).isEqualTo(new StreamResult.Missing());
    }
  }
}
