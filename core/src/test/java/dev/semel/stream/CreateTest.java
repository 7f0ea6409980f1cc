package dev.semel.stream;

import static dev.semel.stream.Fixture.PATH;
import static dev.semel.stream.Fixture.TEXT;
import static dev.semel.stream.Fixture.bytes;
import static dev.semel.stream.Fixture.path;
import static dev.semel.stream.Fixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.stream.Answer.Conflict.Reason;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CreateTest {
  private final Fixture fixture = new Fixture();

  private Answer.ToCreate create(Create request) {
    return fixture.create(request);
  }

  @Test
  void aStreamIsCreatedOnce() {
    Create request = Create.of(PATH, TEXT);
    assertThat(create(request)).isInstanceOf(Answer.Created.class);
    assertThat(create(request)).isEqualTo(new Answer.Existed(fixture.found(PATH)));
    assertThat(fixture.changes).hasSize(1);
  }

  @Test
  void withoutATypeItHoldsBytes() {
    Create request =
        new Create(PATH, Optional.empty(), Expiry.never(), false, Body.EMPTY, Optional.empty());
    assertThat(create(request)).isInstanceOf(Answer.Created.class);
    assertThat(fixture.found(PATH).config().type()).isEqualTo(ContentType.BYTES);
    assertThat(create(request)).isInstanceOf(Answer.Existed.class);
    assertThat(create(Create.of(PATH, TEXT)))
        .isEqualTo(new Answer.Conflict(Reason.OTHER_CONFIGURATION));
  }

  @Test
  void theConfigurationMustBeTheSameButNotItsSpelling() {
    create(Create.of(PATH, TEXT).withExpiry(new Expiry.Idle(60)));
    Create same =
        Create.of(PATH, ContentType.parse("TEXT/Plain; charset=utf-8"))
            .withExpiry(new Expiry.Idle(60));
    assertThat(create(same)).isInstanceOf(Answer.Existed.class);
    assertThat(create(same.withExpiry(new Expiry.Idle(61)))).isInstanceOf(Answer.Conflict.class);
    assertThat(create(same.withExpiry(Expiry.never()))).isInstanceOf(Answer.Conflict.class);
  }

  @Test
  void closureIsPartOfTheConfiguration() {
    Create open = Create.of(PATH, TEXT);
    create(open);
    assertThat(create(open.bornClosed())).isInstanceOf(Answer.Conflict.class);
    fixture.append(Append.closeOnly());
    assertThat(create(open)).isInstanceOf(Answer.Conflict.class);
    assertThat(create(open.bornClosed())).isInstanceOf(Answer.Existed.class);
  }

  @Test
  void aStreamBornClosedHoldsItsBodyAndNoMore() {
    Answer.Created created =
        (Answer.Created) create(Create.of(PATH, TEXT).withBody(bytes("all")).bornClosed());
    assertThat(created.head().closed()).isTrue();
    assertThat(created.head().tail()).isEqualTo(new Offset(3));
    assertThat(fixture.append(text("more"))).isEqualTo(new Answer.StreamClosed(new Offset(3)));
    assertThat(fixture.slice(PATH, new ReadFrom.Start(), 100).closed()).isTrue();
  }

  @Test
  void theFirstBodyIsNotComparedNorAppendedAgain() {
    create(Create.of(PATH, TEXT).withBody(bytes("one")));
    assertThat(create(Create.of(PATH, TEXT).withBody(bytes("two"))))
        .isInstanceOf(Answer.Existed.class);
    assertThat(fixture.content()).isEqualTo("one");
  }

  @Test
  void jsonMayBeginEmptyOrWithMessagesButNotWithAnythingElse() {
    Create json = Create.of(PATH, ContentType.JSON);
    assertThat(create(json.withBody(bytes("[1,")))).isInstanceOf(Answer.Malformed.class);
    assertThat(fixture.head(PATH)).isEqualTo(new Answer.Missing());
    assertThat(create(json.withBody(bytes("[]")))).isInstanceOf(Answer.Created.class);
    assertThat(fixture.content()).isEqualTo("[]");
    create(Create.of(path("b"), ContentType.JSON).withBody(bytes("[1,[2]]")));
    assertThat(fixture.content(path("b"))).isEqualTo("[1,[2]]");
  }

  @Test
  void aPathCanBeUsedAgainAndNothingIsLeftOnIt() {
    create(Create.of(PATH, TEXT));
    fixture.append(text("old").by(Fixture.tuple("p", 3, 0)).withSeq("9"));
    long before = fixture.found(PATH).incarnation();
    assertThat(fixture.delete(PATH)).isEqualTo(new Answer.Deleted());
    assertThat(fixture.delete(PATH)).isEqualTo(new Answer.Missing());
    assertThat(fixture.append(text("x"))).isEqualTo(new Answer.Missing());

    assertThat(create(Create.of(PATH, ContentType.JSON))).isInstanceOf(Answer.Created.class);
    assertThat(fixture.found(PATH).incarnation()).isGreaterThan(before);
    assertThat(fixture.content()).isEqualTo("[]");
    assertThat(fixture.append(Fixture.json("1").by(Fixture.tuple("p", 0, 0)).withSeq("1")))
        .isInstanceOf(Answer.Appended.class);
  }

  @Test
  void limitsAreNamed() {
    Fixture small = new Fixture(new Limits(1, 1, 4, 99, 1, Duration.ofDays(1)), Retention.FOR_EVER);
    assertThat(small.create(Create.of(PATH, TEXT).withBody(bytes("12345"))))
        .isEqualTo(new Answer.TooLarge(4));
    small.create(Create.of(PATH, TEXT));
    assertThat(small.create(Create.of(path("b"), TEXT))).isEqualTo(new Answer.Full("streams", 1));
    assertThat(small.create(Create.of(PATH, TEXT))).isInstanceOf(Answer.Existed.class);
    assertThat(small.append(text("12345"))).isEqualTo(new Answer.TooLarge(4));
    small.append(text("1").by(Fixture.tuple("p", 0, 0)));
    assertThat(small.append(text("1").by(Fixture.tuple("q", 0, 0))))
        .isEqualTo(new Answer.Full("producers per stream", 1));
    assertThat(small.append(text("1").by(Fixture.tuple("p", 0, 1))))
        .isInstanceOf(Answer.Appended.class);
  }
}
