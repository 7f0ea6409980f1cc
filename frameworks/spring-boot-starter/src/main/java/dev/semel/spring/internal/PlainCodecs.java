package dev.semel.spring.internal;

import dev.semel.InvalidInput;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.spring.ResultCodecs;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Codecs without a library: for null and text only. */
public final class PlainCodecs implements ResultCodecs {
  static final Codec<Result> NOTHING =
      new Codec<>() {
        @Override
        public String type() {
          return "";
        }

        @Override
        public byte[] encode(Result result) {
          return new byte[0];
        }

        @Override
        public Result decode(byte[] bytes) {
          return new Result(null);
        }
      };

  private static final Codec<Result> TEXT =
      new Codec<>() {
        @Override
        public String type() {
          return "text/plain; charset=utf-8; nullable";
        }

        @Override
        public byte[] encode(Result result) {
          Object value = result.value();
          return value == null ? new byte[0] : ("=" + value).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Result decode(byte[] bytes) {
          return bytes.length == 0
              ? new Result(null)
              : new Result(new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8));
        }
      };

  @Override
  public Codec<Result> codec(Type type) {
    if (type == void.class || type == Void.class) {
      return NOTHING;
    }
    if (type == String.class) {
      return TEXT;
    }
    throw new InvalidInput(
        "a result of the type %s can't be kept: have Jackson (spring-boot-starter-jackson) on the class path, or a bean of the type ResultCodecs"
            .formatted(type.getTypeName()));
  }

  @Override
  public Fingerprint fingerprint(List<? extends @Nullable Object> values) {
    StringBuilder text = new StringBuilder();
    for (Object value : values) {
      String part = value == null ? "" : text(value);
      text.append(value == null ? -1 : part.length()).append(':').append(part).append('\n');
    }
    return Fingerprint.of(text.toString());
  }

  private static String text(Object value) {
    if (value instanceof CharSequence
        || value instanceof Number
        || value instanceof Boolean
        || value instanceof Enum<?>
        || value instanceof UUID) {
      return value.toString();
    }
    throw new InvalidInput(
        "an argument of the type %s can't be compared: have Jackson on the class path, or name what counts with @Idempotent(fingerprint = \"…\")"
            .formatted(value.getClass().getName()));
  }
}
