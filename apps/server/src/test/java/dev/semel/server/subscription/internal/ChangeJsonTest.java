package dev.semel.server.subscription.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import dev.semel.server.subscription.internal.rules.SigningKey;
import dev.semel.server.subscription.internal.rules.StreamGlob;
import dev.semel.server.subscription.internal.rules.SubscriptionChange;
import dev.semel.server.subscription.internal.rules.SubscriptionConfig;
import dev.semel.server.subscription.internal.rules.WakeDelivery;
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

  private static final List<SubscriptionChange> ALL =
      List.of(
          new SubscriptionChange.Secret("c2VjcmV0"),
          new SubscriptionChange.Key(SigningKey.draw(17)),
          new SubscriptionChange.Floor(3),
          new SubscriptionChange.Put(
              "a",
              new SubscriptionConfig(
                  Optional.of(StreamGlob.parse("a/**")),
                  List.of(PATH),
                  new WakeDelivery.Webhook("https://worker.example/ü"),
                  Duration.ofMillis(1234),
                  Optional.of("d")),
              "http://localhost:1",
              7,
              3),
          new SubscriptionChange.Put(
              "b",
              new SubscriptionConfig(
                  Optional.empty(),
                  List.of(PATH),
                  new WakeDelivery.PullWake(new StreamPath("wake")),
                  SubscriptionConfig.DEFAULT_LEASE,
                  Optional.empty()),
              "",
              0,
              0),
          new SubscriptionChange.Opened("a"),
          new SubscriptionChange.Based("a", "https://x"),
          new SubscriptionChange.Linked("a", PATH, true, 1L << 60, new Offset(5)),
          new SubscriptionChange.Linked("a", PATH, false, 0, Offset.ZERO),
          new SubscriptionChange.Unlinked("a", PATH),
          new SubscriptionChange.Woken("a", 4, "w_1", 99, offsets()),
          new SubscriptionChange.Claimed("a", "worker-1"),
          new SubscriptionChange.Accepted("a"),
          new SubscriptionChange.Acked("a", offsets()),
          new SubscriptionChange.Tried("a", 3, 1_767_225_600_000L),
          new SubscriptionChange.Ended("a"),
          new SubscriptionChange.Removed("a"));

  @Test
  void whatIsWrittenReadsBackTheSame() {
    for (SubscriptionChange change : ALL) {
      String text = Json.write(ChangeJson.write(change));
      assertThat(ChangeJson.read(Json.parse(text))).as(text).isEqualTo(change);
    }
  }

  @Test
  void everyKindIsTried() {
    Set<Class<?>> kinds =
        Stream.of(
                SubscriptionChange.class.getPermittedSubclasses(),
                SubscriptionChange.Of.class.getPermittedSubclasses())
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
