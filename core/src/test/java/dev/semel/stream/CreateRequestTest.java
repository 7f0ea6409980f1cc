package dev.semel.stream;

import static dev.semel.stream.Fixture.PATH;
import static dev.semel.stream.Fixture.TEXT;
import static dev.semel.stream.Fixture.bytes;
import static dev.semel.stream.Fixture.path;
import static dev.semel.stream.Fixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.StreamResult.Conflict.Reason;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CreateRequestTest {
  private final Fixture fixture = new Fixture();

  private StreamResult.ToCreate create(CreateRequest request) {
    return fixture.create(request);
  }

  @Test
  void aStreamIsCreatedOnce() {
    CreateRequest request = CreateRequest.of(PATH, TEXT);
    assertThat(create(request)).isInstanceOf(StreamResult.Created.class);
    assertThat(create(request)).isEqualTo(new StreamResult.Existed(fixture.found(PATH)));
    assertThat(fixture.changes).hasSize(1);
  }

  @Test
  void withoutATypeItHoldsBytes() {
    CreateRequest request =
        new CreateRequest(
            PATH,
            Optional.empty(),
            StreamExpiry.never(),
            false,
            AppendBody.EMPTY,
            Optional.empty());
    assertThat(create(request)).isInstanceOf(StreamResult.Created.class);
    assertThat(fixture.found(PATH).config().type()).isEqualTo(ContentType.BYTES);
    assertThat(create(request)).isInstanceOf(StreamResult.Existed.class);
    assertThat(create(CreateRequest.of(PATH, TEXT)))
        .isEqualTo(new StreamResult.Conflict(Reason.OTHER_CONFIGURATION));
  }

  @Test
  void theConfigurationMustBeTheSameButNotItsSpelling() {
    create(CreateRequest.of(PATH, TEXT).withExpiry(new StreamExpiry.Idle(60)));
    CreateRequest same =
        CreateRequest.of(PATH, ContentType.parse("TEXT/Plain; charset=utf-8"))
            .withExpiry(new StreamExpiry.Idle(60));
    assertThat(create(same)).isInstanceOf(StreamResult.Existed.class);
    assertThat(create(same.withExpiry(new StreamExpiry.Idle(61))))
        .isInstanceOf(StreamResult.Conflict.class);
    assertThat(create(same.withExpiry(StreamExpiry.never())))
        .isInstanceOf(StreamResult.Conflict.class);
  }

  @Test
  void closureIsPartOfTheConfiguration() {
    CreateRequest open = CreateRequest.of(PATH, TEXT);
    create(open);
    assertThat(create(open.bornClosed())).isInstanceOf(StreamResult.Conflict.class);
    fixture.append(AppendRequest.closeOnly());
    assertThat(create(open)).isInstanceOf(StreamResult.Conflict.class);
    assertThat(create(open.bornClosed())).isInstanceOf(StreamResult.Existed.class);
  }

  @Test
  void aStreamBornClosedHoldsItsBodyAndNoMore() {
    StreamResult.Created created =
        (StreamResult.Created)
            create(CreateRequest.of(PATH, TEXT).withBody(bytes("all")).bornClosed());
    assertThat(created.head().closed()).isTrue();
    assertThat(created.head().tail()).isEqualTo(new Offset(3));
    assertThat(fixture.append(text("more")))
        .isEqualTo(new StreamResult.StreamClosed(new Offset(3)));
    assertThat(fixture.slice(PATH, new ReadFrom.Start(), 100).closed()).isTrue();
  }

  @Test
  void theFirstBodyIsNotComparedNorAppendedAgain() {
    create(CreateRequest.of(PATH, TEXT).withBody(bytes("one")));
    assertThat(create(CreateRequest.of(PATH, TEXT).withBody(bytes("two"))))
        .isInstanceOf(StreamResult.Existed.class);
    assertThat(fixture.content()).isEqualTo("one");
  }

  @Test
  void jsonMayBeginEmptyOrWithMessagesButNotWithAnythingElse() {
    CreateRequest json = CreateRequest.of(PATH, ContentType.JSON);
    assertThat(create(json.withBody(bytes("[1,")))).isInstanceOf(StreamResult.Malformed.class);
    assertThat(fixture.head(PATH)).isEqualTo(new StreamResult.Missing());
    assertThat(create(json.withBody(bytes("[]")))).isInstanceOf(StreamResult.Created.class);
    assertThat(fixture.content()).isEqualTo("[]");
    create(CreateRequest.of(path("b"), ContentType.JSON).withBody(bytes("[1,[2]]")));
    assertThat(fixture.content(path("b"))).isEqualTo("[1,[2]]");
  }

  @Test
  void aPathCanBeUsedAgainAndNothingIsLeftOnIt() {
    create(CreateRequest.of(PATH, TEXT));
    fixture.append(text("old").by(Fixture.tuple("p", 3, 0)).withSeq("9"));
    long before = fixture.found(PATH).incarnation();
    assertThat(fixture.delete(PATH)).isEqualTo(new StreamResult.Deleted());
    assertThat(fixture.delete(PATH)).isEqualTo(new StreamResult.Missing());
    assertThat(fixture.append(text("x"))).isEqualTo(new StreamResult.Missing());

    assertThat(create(CreateRequest.of(PATH, ContentType.JSON)))
        .isInstanceOf(StreamResult.Created.class);
    assertThat(fixture.found(PATH).incarnation()).isGreaterThan(before);
    assertThat(fixture.content()).isEqualTo("[]");
    assertThat(fixture.append(Fixture.json("1").by(Fixture.tuple("p", 0, 0)).withSeq("1")))
        .isInstanceOf(StreamResult.Appended.class);
  }

  @Test
  void limitsAreNamed() {
    Fixture small =
        new Fixture(new StreamLimits(1, 1, 4, 99, 1, Duration.ofDays(1)), StreamRetention.FOR_EVER);
    assertThat(small.create(CreateRequest.of(PATH, TEXT).withBody(bytes("12345"))))
        .isEqualTo(new StreamResult.TooLarge(4));
    small.create(CreateRequest.of(PATH, TEXT));
    assertThat(small.create(CreateRequest.of(path("b"), TEXT)))
        .isEqualTo(new StreamResult.Full("streams", 1));
    assertThat(small.create(CreateRequest.of(PATH, TEXT))).isInstanceOf(StreamResult.Existed.class);
    assertThat(small.append(text("12345"))).isEqualTo(new StreamResult.TooLarge(4));
    small.append(text("1").by(Fixture.tuple("p", 0, 0)));
    assertThat(small.append(text("1").by(Fixture.tuple("q", 0, 0))))
        .isEqualTo(new StreamResult.Full("producers per stream", 1));
    assertThat(small.append(text("1").by(Fixture.tuple("p", 0, 1))))
        .isInstanceOf(StreamResult.Appended.class);
  }
}
