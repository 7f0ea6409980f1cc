package dev.semel.idempotency;

import java.nio.charset.StandardCharsets;

/**
 * Turns results into what is kept and back. The type is stored with the bytes, and only a payload
 * of the codec's own type is ever given to {@link #decode}.
 *
 * <p>A codec that can't hold null throws when it is to encode it: then the work's null is refused.
 */
public interface Codec<T> {
  /** Names the form, such as a media type; a version belongs into it. */
  String type();

  byte[] encode(T value);

  T decode(byte[] bytes);

  static Codec<byte[]> bytes() {
    return BuiltInCodec.BYTES;
  }

  static Codec<String> utf8() {
    return BuiltInCodec.UTF8;
  }

  /** For work without a result: it returns null, and duplicates are given null. */
  static Codec<Void> nothing() {
    return BuiltInCodec.NOTHING;
  }

  default Payload payload(T value) {
    return new Payload(type(), encode(value));
  }

  /** Refuses a payload that another codec wrote, instead of misreading it. */
  default T read(Payload payload) {
    if (!payload.type().equals(type())) {
      throw new IllegalStateException(
          "the stored response has the type %s, but the codec reads %s: keep the old codec until the old records' retention ended"
              .formatted(payload.type(), type()));
    }
    return decode(payload.bytes());
  }

  /** Those that need no library. */
  final class BuiltInCodec {
    private BuiltInCodec() {}

    private static final Codec<byte[]> BYTES =
        new Codec<>() {
          @Override
          public String type() {
            return "application/octet-stream";
          }

          @Override
          public byte[] encode(byte[] value) {
            return value.clone();
          }

          @Override
          public byte[] decode(byte[] bytes) {
            return bytes.clone();
          }
        };

    /** As a reservation that was confirmed without a response is kept. */
    private static final Codec<Void> NOTHING =
        new Codec<>() {
          @Override
          public String type() {
            return Payload.EMPTY.type();
          }

          @Override
          public byte[] encode(Void value) {
            return Payload.EMPTY.bytes();
          }

          @Override
          @SuppressWarnings("NullAway") // the one value there is
          public Void decode(byte[] bytes) {
            return null;
          }
        };

    private static final Codec<String> UTF8 =
        new Codec<>() {
          @Override
          public String type() {
            return "text/plain; charset=utf-8";
          }

          @Override
          public byte[] encode(String value) {
            return value.getBytes(StandardCharsets.UTF_8);
          }

          @Override
          public String decode(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
          }
        };
  }
}
