package dev.semel.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedisKeyTest {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void wholeKeyIsTheHashTag() {
    assertThat(RedisKey.name(Key.of("acme", "payments", "order-1")))
        .isEqualTo(bytes("i9y:{acme/payments:order-1}"));
  }

  @Test
  void namesAreReadBackWhateverTheIdHolds() {
    for (String id : List.of("a", "a}b", "{a}", "}", "a/b:c", "äöü 日本 😀", "*?[x]\\")) {
      Key key = Key.of("payments", id);
      assertThat(RedisKey.key(RedisKey.name(key))).as(id).contains(key);
    }
  }

  @Test
  void namesOfOthersAreNoKeys() {
    for (String name :
        List.of(
            "",
            "x",
            "i9y:",
            "i9y:{",
            "i9y:{}",
            "i9y:{payments}",
            "i9y:{payments:}",
            "i9y:{payments:a}",
            "i9y:{default/payments:a",
            "semel:statistics")) {
      assertThat(RedisKey.key(bytes(name))).as(name).isEmpty();
    }
    byte[] broken = bytes("i9y:{default/payments:a?}");
    broken[broken.length - 2] = (byte) 0xff;
    assertThat(RedisKey.key(broken)).isEmpty();
  }

  @Test
  void patternTakesThePrefixLiterally() {
    assertThat(RedisKey.pattern("a*b?[c]\\d")).isEqualTo(bytes("i9y:{a\\*b\\?\\[c]\\\\d*"));
    assertThat(RedisKey.pattern("")).isEqualTo(bytes("i9y:{*"));
  }
}
