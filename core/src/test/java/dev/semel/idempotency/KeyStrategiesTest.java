package dev.semel.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.internal.Ids;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyStrategiesTest {
  private static final String LONGEST_NAME = "n".repeat(64);

  record Change(String entity, String version) {}

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The id, checked to be one that every key takes and that its own strategy knows. */
  static <R> String id(KeyStrategy<R> strategy, R request) {
    KeyChoice keying = strategy.keying(request);
    for (String id : List.of(keying.id(), keying.collisionId())) {
      if (!id.isEmpty()) {
        assertThatCode(() -> Key.of(LONGEST_NAME, LONGEST_NAME, id)).doesNotThrowAnyException();
        assertThatCode(() -> strategy.validate(id)).doesNotThrowAnyException();
        assertThat(bytes(id)).hasSizeLessThanOrEqualTo(KeyStrategies.MAX_ID_BYTES);
      }
    }
    return keying.id();
  }

  static void refuses(KeyStrategy<?> strategy, String shape, String... ids) {
    for (String id : ids) {
      assertThatThrownBy(() -> strategy.validate(id))
          .as(id)
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining(shape)
          .message()
          .doesNotContain("\u001b");
    }
  }

  @Nested
  class Uuid7 {
    private final KeyStrategy<String> strategy = KeyStrategies.uuid7();

    @Test
    void eachRequestGetsItsOwnWholeUuid() {
      String id = id(strategy, "request");
      assertThat(id).hasSize(36).isNotEqualTo(id(strategy, "request"));
      assertThat(strategy.keying("request").fingerprints()).isEmpty();
      assertThat(strategy.keying("request").collisionId()).isEmpty();
    }

    @Test
    void otherShapesAreRefused() {
      refuses(
          strategy,
          "UUID of version 7",
          "",
          "1",
          "0f8fad5b-d9cb-469f-a165-70867728950e",
          "01890A5D-AC96-774B-BCCE-B302099A8057",
          "01890a5d-ac96-774b-bcce-b302099a8057 ",
          "\u001b[31m",
          Ids.named("x").toString());
    }
  }

  @Nested
  class EntityVersion {
    private final KeyStrategy<Change> strategy =
        KeyStrategies.entityVersion(Change::entity, Change::version);

    @ParameterizedTest
    @CsvSource({"order-123, 7, order-123@7", "a@b.c, 2, a@b.c@2", "заказ 5, v1, заказ 5@v1"})
    void readsAsEntityAtVersion(String entity, String version, String expected) {
      assertThat(id(strategy, new Change(entity, version))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {"", "1@2", "1\n", "\ud800", "12345678901234567890123456789012345678901"})
    void aVersionThatWouldBlurTheLineIsRefused(String version) {
      assertThatThrownBy(() -> strategy.keying(new Change("a", version)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("without @");
    }

    @Test
    void otherShapesAreRefused() {
      refuses(
          strategy,
          "entity@version, such as order-123@7",
          "",
          "x",
          "@7",
          "x@",
          "x@\u001b",
          "x".repeat(119) + "@7");
    }

    @Test
    void theVersionOutlivesShortening() {
      assertThat(id(strategy, new Change("e".repeat(500), "7")))
          .hasSize(KeyStrategies.MAX_ID_BYTES)
          .matches("e+~[0-9a-f]{32}@7")
          .isEqualTo(id(strategy, new Change("e".repeat(500), "7")))
          .isNotEqualTo(id(strategy, new Change("e".repeat(501), "7")))
          .isNotEqualTo(id(strategy, new Change("e".repeat(500), "8")));
    }
  }

  @Nested
  class ContentHash {
    private final KeyStrategy<byte[]> strategy =
        KeyStrategies.contentHash("user", "cart.id", "items[0].sku");

    @Test
    void sameFieldsSameId() {
      String id = id(strategy, bytes("{\"user\":1,\"cart\":{\"id\":\"c\"},\"clicked\":\"10:00\"}"));
      assertThat(id)
          .matches("hash_[0-9a-f]{32}")
          .isEqualTo(
              id(strategy, bytes(" {\"clicked\":\"10:01\",\"cart\":{\"id\":\"c\"},\"user\":1.0}")))
          .isNotEqualTo(id(strategy, bytes("{\"user\":2,\"cart\":{\"id\":\"c\"}}")))
          .isNotEqualTo(id(strategy, bytes("{\"user\":\"1\",\"cart\":{\"id\":\"c\"}}")))
          .isNotEqualTo(id(strategy, bytes("{\"user\":1}")))
          .isNotEqualTo(id(strategy, bytes("{\"user\":1,\"cart\":{\"id\":null}}")));
    }

    /** Records outlive releases: this id may never change. */
    @Test
    void theIdIsTheHashOfTheCanonicalFields() {
      String expected = Ids.sha256Hex(bytes("{\"cart.id\":\"c\",\"user\":1}")).substring(0, 32);
      assertThat(id(strategy, bytes("{\"user\":1,\"cart\":{\"id\":\"c\"}}")))
          .isEqualTo("hash_" + expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "5", "{\"users\":1}", "{\"user\":null}"})
    void aRequestThatNothingTellsFromOthersIsRefused(String body) {
      for (KeyStrategy<byte[]> each : List.of(strategy, KeyStrategies.hybrid("user", "cart.id"))) {
        assertThatThrownBy(() -> each.keying(bytes(body)))
            .isInstanceOf(InvalidInput.class)
            .hasMessageContaining("at least one of [user, cart.id");
      }
    }

    @Test
    void whatIsNotJsonAndPoorChoicesAreRefused() {
      assertThatThrownBy(() -> strategy.keying(bytes("user=1"))).isInstanceOf(InvalidInput.class);
      assertThatThrownBy(() -> KeyStrategies.contentHash()).isInstanceOf(InvalidInput.class);
      assertThatThrownBy(() -> KeyStrategies.contentHash("a", "a"))
          .isInstanceOf(InvalidInput.class);
    }

    @Test
    void otherShapesAreRefused() {
      refuses(
          strategy,
          "hash_ and 32 hexadecimal",
          "hash_",
          "hash_" + "A".repeat(32),
          "hash_" + "a".repeat(33),
          "x");
    }
  }

  @Nested
  class IdAndBodyHash {
    private final KeyStrategy<Change> strategy =
        KeyStrategies.idAndBodyHash(Change::entity, change -> bytes(change.version()));

    @Test
    void theSameIdWithAnotherBodyIsAnotherRequest() {
      assertThat(id(strategy, new Change("order-123", "abc")))
          .isEqualTo("order-123:ba7816bf8f01cfea414140de5dae2223")
          .isNotEqualTo(id(strategy, new Change("order-123", "abd")))
          .isNotEqualTo(id(strategy, new Change("order-124", "abc")));
    }

    @Test
    void otherShapesAreRefused() {
      refuses(
          strategy,
          "id:hash",
          "order-123",
          ":" + "a".repeat(32),
          "x:" + "a".repeat(31),
          "x:" + "g".repeat(32));
    }
  }

  @Nested
  class Hybrid {
    @Test
    void aShortHashWithAFingerprintOfTheFields() {
      KeyStrategy<byte[]> strategy = KeyStrategies.hybrid("user");
      KeyChoice keying = strategy.keying(bytes("{\"user\":1,\"clicked\":\"10:00\"}"));
      String full = Ids.sha256Hex(bytes("{\"user\":1}"));
      assertThat(keying)
          .isEqualTo(
              new KeyChoice(
                  "hash_" + full.substring(0, 16),
                  List.of(new Fingerprint("sha256:v1:key:" + full)),
                  "hash_" + full.substring(0, 16) + "#" + full))
          .isEqualTo(strategy.keying(bytes("{\"clicked\":\"10:01\",\"user\":1.0}")));
    }

    @Test
    void fewDigitsCollideAndTheFingerprintsTellThemApart() {
      KeyStrategy<byte[]> strategy = KeyStrategies.hybrid(1, "user");
      Map<String, KeyChoice> first = new HashMap<>();
      int collisions = 0;
      for (int user = 0; user < 100; user++) {
        byte[] body = bytes("{\"user\":" + user + "}");
        KeyChoice keying = strategy.keying(body);
        KeyChoice other = first.putIfAbsent(id(strategy, body), keying);
        if (other != null) {
          collisions++;
          assertThat(keying.fingerprints()).isNotEqualTo(other.fingerprints());
          assertThat(keying.collisionId())
              .startsWith(keying.id() + "#")
              .isNotEqualTo(other.collisionId());
        }
      }
      assertThat(first).hasSize(16);
      assertThat(collisions).isEqualTo(84);
    }

    @Test
    void mostDigitsStillLeaveRoomForTheCollisionId() {
      assertThat(id(KeyStrategies.hybrid(KeyStrategies.MAX_HYBRID_DIGITS, "a"), bytes("{\"a\":1}")))
          .hasSize(37);
      assertThatThrownBy(() -> KeyStrategies.hybrid(33, "a")).isInstanceOf(InvalidInput.class);
      assertThatThrownBy(() -> KeyStrategies.hybrid(0, "a")).isInstanceOf(InvalidInput.class);
    }

    @Test
    void otherShapesAreRefused() {
      String id = "hash_" + "0".repeat(16);
      refuses(
          KeyStrategies.hybrid("a"),
          "hash_ and 16 hexadecimal",
          "hash_0",
          id + "#",
          id + "#" + "0".repeat(63),
          id + "_1");
    }
  }

  @Nested
  class Own {
    private final KeyStrategy<String> strategy =
        KeyStrategies.own(
            Function.identity(),
            id -> {
              if (!id.startsWith("pay-")) {
                throw new InvalidInput("expected pay- and a number");
              }
            });

    @Test
    void takesTheCallersIdAndAsksItsValidator() {
      assertThat(id(strategy, "pay-1")).isEqualTo("pay-1");
      assertThatThrownBy(() -> strategy.keying("1")).hasMessage("expected pay- and a number");
      refuses(strategy, "expected pay- and a number", "1");
      refuses(strategy, "expected printable text", "", "pay-\u001b", "pay-" + "1".repeat(120));
    }
  }

  @Test
  void looksAtAPartOfALargerRequest() {
    KeyStrategy<Change> strategy =
        KeyStrategies.contentHash("a").taking(change -> bytes(change.version()));
    assertThat(id(strategy, new Change("ignored", "{\"a\":1}")))
        .isEqualTo(id(KeyStrategies.contentHash("a"), bytes("{\"a\":1}")));
    refuses(strategy, "hash_", "x");
  }
}
