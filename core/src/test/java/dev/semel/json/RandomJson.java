package dev.semel.json;

import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonNull;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Values of every shape, with a liking for the edges. */
public final class RandomJson {
  private RandomJson() {}

  public static JsonValue value(RandomGenerator random, int depth) {
    return switch (random.nextInt(depth > 0 ? 8 : 6)) {
      case 0 -> new JsonNull();
      case 1 -> JsonValue.of(random.nextBoolean());
      case 2, 3 -> JsonValue.of(text(random));
      case 4, 5 -> number(random);
      case 6 -> array(random, depth);
      default -> object(random, depth);
    };
  }

  private static JsonValue array(RandomGenerator random, int depth) {
    List<JsonValue> items = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      items.add(value(random, depth - 1));
    }
    return new JsonArray(items);
  }

  static JsonObject object(RandomGenerator random, int depth) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      members.put(text(random), value(random, depth - 1));
    }
    return new JsonObject(members);
  }

  static String text(RandomGenerator random) {
    StringBuilder out = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      int c =
          switch (random.nextInt(6)) {
            case 0 -> random.nextInt(0x20);
            case 1 -> "\"\\/\u007f\u0080\u2028\uFEFF\ufffd".charAt(random.nextInt(8));
            case 2 -> random.nextInt(0x10000, 0x110000);
            case 3 -> random.nextInt(0xE000, 0x10000);
            default -> random.nextInt(0x20, 0x7f);
          };
      out.appendCodePoint(c);
    }
    return out.toString();
  }

  static JsonValue number(RandomGenerator random) {
    return switch (random.nextInt(5)) {
      case 0 -> JsonValue.of(random.nextLong() >> random.nextInt(64));
      case 1 -> JsonValue.of(anyDouble(random));
      case 2 -> new JsonNumber(decimal(random, random.nextInt(-25, 25)));
      case 3 -> new JsonNumber(decimal(random, random.nextInt(-900_000_000, 900_000_000)));
      default -> JsonValue.of((1L << 53) + random.nextInt(-3, 4));
    };
  }

  private static BigDecimal decimal(RandomGenerator random, int scale) {
    byte[] bytes = new byte[random.nextInt(1, 150)];
    random.nextBytes(bytes);
    return new BigDecimal(new BigInteger(bytes), scale);
  }

  public static double anyDouble(RandomGenerator random) {
    double d = Double.longBitsToDouble(random.nextLong());
    return Double.isFinite(d) ? d : Double.MIN_VALUE * random.nextInt(100);
  }
}
