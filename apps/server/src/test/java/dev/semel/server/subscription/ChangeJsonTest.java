package dev.semel.server.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ChangeJsonTest {
  private static final StreamPath PATH = new StreamPath("größe/\"x\"");

  private static Map<StreamPath, Offset> offsets() {
    Map<StreamPath, Offset> offsets = new LinkedHashMap<>();
    offsets.put(PATH, new Offset(9_999_999_999_999_999L));
    offsets.put(new StreamPath("a"), Offset.ZERO);
    return offsets;
  }

  private static final List<Change> ALL =
      List.of(
          new Change.Secret("c2VjcmV0"),
          new Change.Key(SigningKey.draw(17)),
          new Change.Floor(3),
          new Change.Put(
              "a",
              new Config(
                  Optional.of(Glob.parse("a/**")),
                  List.of(PATH),
                  new Delivery.Webhook("https://worker.example/ü"),
                  Duration.ofMillis(1234),
                  Optional.of("d")),
              "http://localhost:1",
              7,
              3),
          new Change.Put(
              "b",
              new Config(
                  Optional.empty(),
                  List.of(PATH),
                  new Delivery.PullWake(new StreamPath("wake")),
                  Config.DEFAULT_LEASE,
                  Optional.empty()),
              "",
              0,
              0),
          new Change.Opened("a"),
          new Change.Based("a", "https://x"),
          new Change.Linked("a", PATH, true, 1L << 60, new Offset(5)),
          new Change.Linked("a", PATH, false, 0, Offset.ZERO),
          new Change.Unlinked("a", PATH),
          new Change.Woken("a", 4, "w_1", 99, offsets()),
          new Change.Claimed("a", "worker-1"),
          new Change.Accepted("a"),
          new Change.Acked("a", offsets()),
          new Change.Tried("a", 3, 1_767_225_600_000L),
          new Change.Ended("a"),
          new Change.Removed("a"));

  @Test
  void whatIsWrittenReadsBackTheSame() {
    for (Change change : ALL) {
      String text = Json.write(ChangeJson.write(change));
      assertThat(ChangeJson.read(Json.parse(text))).as(text).isEqualTo(change);
    }
  }

  @Test
  void everyKindIsTried() {
    Set<Class<?>> kinds =
        Stream.of(Change.class.getPermittedSubclasses(), Change.Of.class.getPermittedSubclasses())
            .flatMap(Stream::of)
            .filter(Class::isRecord)
            .collect(Collectors.toSet());
    assertThat(ALL.stream().map(Object::getClass).collect(Collectors.toSet())).isEqualTo(kinds);
  }

  @Test
  void aKindFromTheFutureIsRefused() {
    assertThatThrownBy(() -> ChangeJson.read(Json.parse("{\"change\":\"new\",\"id\":\"a\"}")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("newer");
    assertThatThrownBy(() -> ChangeJson.read(Json.parse("[]"))).isInstanceOf(InvalidInput.class);
  }
}
