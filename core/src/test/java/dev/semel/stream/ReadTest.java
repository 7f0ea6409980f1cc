package dev.semel.stream;

import static dev.semel.stream.Fixture.PATH;
import static dev.semel.stream.Fixture.TEXT;
import static dev.semel.stream.Fixture.at;
import static dev.semel.stream.Fixture.json;
import static dev.semel.stream.Fixture.path;
import static dev.semel.stream.Fixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.DataSlice;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamFork;
import dev.semel.stream.spi.StreamResult;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

final class ReadTest {
  private final Fixture fixture = new Fixture();

  private DataSlice read(ReadFrom from, int max) {
    return fixture.slice(PATH, from, max);
  }

  @Test
  void theTailIsEmptyAndUpToDate() {
    fixture.create(TEXT);
    fixture.append(text("abc"));
    for (ReadFrom from : new ReadFrom[] {new ReadFrom.Now(), new ReadFrom.At(at(3))}) {
      DataSlice slice = read(from, 10);
      assertThat(slice.body()).isEmpty();
      assertThat(slice.next()).isEqualTo(at(3));
      assertThat(slice.upToDate()).isTrue();
      assertThat(slice.closed()).isFalse();
    }
    fixture.append(AppendRequest.closeOnly());
    assertThat(read(new ReadFrom.Now(), 10).closed()).isTrue();
  }

  @Test
  void aPartSaysNeitherUpToDateNorClosed() {
    fixture.create(TEXT);
    fixture.append(text("abc"));
    fixture.append(text("defg").closing());
    DataSlice part = read(new ReadFrom.Start(), 5);
    assertThat(Fixture.content(part)).isEqualTo("abcde");
    assertThat(part.upToDate()).isFalse();
    assertThat(part.closed()).isFalse();
    DataSlice rest = read(new ReadFrom.At(part.next()), 5);
    assertThat(Fixture.content(rest)).isEqualTo("fg");
    assertThat(rest.upToDate()).isTrue();
    assertThat(rest.closed()).isTrue();
  }

  @Test
  void aReaderAlwaysGetsOn() {
    fixture.create(TEXT);
    fixture.append(text("abc"));
    assertThat(read(new ReadFrom.Start(), 0).next()).isEqualTo(at(1));
  }

  @Test
  void placesBeyondTheTailAreNone() {
    fixture.create(TEXT);
    assertThat(fixture.read(PATH, new ReadFrom.At(at(1)), 9))
        .isInstanceOf(StreamResult.Malformed.class);
    assertThat(fixture.read(path("none"), new ReadFrom.Start(), 9))
        .isEqualTo(new StreamResult.Missing());
  }

  @Test
  void whatWasReadDoesNotChange() {
    fixture.create(TEXT);
    fixture.append(text("abc"));
    DataSlice before = read(new ReadFrom.Start(), 10);
    fixture.append(text("def"));
    fixture.delete(PATH);
    assertThat(Fixture.content(before)).isEqualTo("abc");
  }

  @Test
  void listsGoOnFromAPath() {
    for (String name : new String[] {"b/2", "a", "b/1", "c"}) {
      fixture.create(CreateRequest.of(path(name), TEXT));
    }
    assertThat(Fixture.now(fixture.streams.list("", "a", 2)))
        .extracting(h -> h.path().text())
        .containsExactly("b/1", "b/2");
    assertThat(Fixture.now(fixture.streams.list("b/", "b/1", 9)))
        .extracting(h -> h.path().text())
        .containsExactly("b/2");
  }

  @Nested
  class Json {
    Json() {
      fixture.create(ContentType.JSON);
    }

    @Test
    void nothingIsAnEmptyArray() {
      assertThat(fixture.content()).isEqualTo("[]");
    }

    @Test
    void isCutBetweenMessagesAndOneAlwaysFits() {
      fixture.append(json("[1,22]"));
      fixture.append(json("\"a long one, with commas\""));
      fixture.append(json("4"));
      assertThat(parts(1)).isEqualTo("[1][22][\"a long one, with commas\"][4]");
      assertThat(parts(4)).isEqualTo("[1][22][\"a long one, with commas\"][4]");
      assertThat(parts(5)).isEqualTo("[1,22][\"a long one, with commas\"][4]");
      assertThat(parts(100)).isEqualTo("[1,22,\"a long one, with commas\",4]");
    }

    private String parts(int max) {
      StringBuilder all = new StringBuilder();
      DataSlice slice = read(new ReadFrom.Start(), max);
      all.append(Fixture.content(slice));
      while (!slice.upToDate()) {
        slice = read(new ReadFrom.At(slice.next()), max);
        all.append(Fixture.content(slice));
      }
      return all.toString();
    }

    @Test
    void placesWithinAMessageAreNone() {
      fixture.append(json("[\"a,b\",2]"));
      for (int place : new int[] {1, 3, 5, 7}) {
        assertThat(fixture.read(PATH, new ReadFrom.At(at(place)), 9))
            .as("at %d", place)
            .isInstanceOf(StreamResult.Malformed.class);
      }
      assertThat(Fixture.content(read(new ReadFrom.At(at(6)), 9))).isEqualTo("[2]");
    }
  }

  @Nested
  class Retained {
    @Test
    void theNewestBytesAreKept() {
      Fixture small =
          new Fixture(StreamLimits.defaults(), new StreamRetention(4, Duration.ofDays(1)));
      small.create(TEXT);
      for (String each : new String[] {"aa", "bb", "cc", "d"}) {
        small.append(text(each));
      }
      assertThat(Fixture.now(small.streams.sweep())).isEqualTo(1);
      assertThat(Fixture.now(small.streams.sweep())).isZero();
      assertThat(small.content()).isEqualTo("bbccd");
      assertThat(small.read(PATH, new ReadFrom.At(at(0)), 9))
          .isEqualTo(new StreamResult.BelowHorizon(at(2)));
      assertThat(small.found(PATH).start()).isEqualTo(at(2));
      assertThat(Fixture.content(small.slice(PATH, new ReadFrom.At(at(4)), 9))).isEqualTo("ccd");
    }

    @Test
    void whatIsOldGoes() {
      Fixture small =
          new Fixture(StreamLimits.defaults(), new StreamRetention(1000, Duration.ofSeconds(10)));
      small.create(TEXT);
      small.append(text("old"));
      small.advance(Duration.ofSeconds(5));
      small.append(text("new"));
      small.advance(Duration.ofSeconds(5));
      small.streams.sweep();
      assertThat(small.content()).isEqualTo("new");
      small.advance(Duration.ofSeconds(5));
      small.streams.sweep();
      assertThat(small.content()).isEmpty();
      assertThat(small.found(PATH).tail()).isEqualTo(at(6));
      assertThat(small.append(text("x").ifMatch(at(6)))).isInstanceOf(StreamResult.Appended.class);
    }

    @Test
    void aForkHasWhatItsSourceStillKeeps() {
      Fixture small =
          new Fixture(StreamLimits.defaults(), new StreamRetention(2, Duration.ofDays(1)));
      small.create(TEXT);
      small.append(text("aa"));
      small.append(text("bb"));
      small.create(CreateRequest.fork(path("f"), new StreamFork(PATH, Optional.empty(), 0)));
      small.append(path("f"), text("c"));
      small.streams.sweep();
      assertThat(small.content(path("f"))).isEqualTo("bbc");
      assertThat(small.read(path("f"), new ReadFrom.At(at(0)), 9))
          .isEqualTo(new StreamResult.BelowHorizon(at(2)));
      small.append(path("f"), text("dd"));
      small.streams.sweep();
      assertThat(small.content(path("f"))).isEqualTo("dd");
    }
  }
}
