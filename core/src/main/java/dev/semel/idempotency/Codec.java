package dev.semel.idempotency;

import java.nio.charset.StandardCharsets;

/**
 * Converts results to bytes for the store, and back for a replay. The type is stored with the
 * bytes, and {@link #decode} gets only payloads of the codec's type.
 *
 * <p>A codec that can't represent null must throw in {@link #encode}: then null results are
 * refused.
 */
public interface Codec<T> {
  /** Names the format, such as a media type, with its version. */
  String type();

  byte[] encode(T value);

  T decode(byte[] bytes);

  static Codec<byte[]> bytes() {
    return BuiltInCodec.BYTES;
  }

  static Codec<String> utf8() {
    return BuiltInCodec.UTF8;
  }

  /** For work without a result: it returns null, and duplicates get null. */
  static Codec<Void> nothing() {
    return BuiltInCodec.NOTHING;
  }

  default Payload payload(T value) {
    return new Payload(type(), encode(value));
  }

  /** Decodes a payload, and refuses one that another codec wrote instead of misreading it. */
  default T read(Payload payload) {
    if (!payload.type().equals(type())) {
      throw new IllegalStateException(
          "the stored response has the type %s, but the codec reads %s: keep the old codec until the old records' retention ended"
              .formatted(payload.type(), type()));
    }
    return decode(payload.bytes());
  }

  /** The codecs that need no library. */
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

    /** Stored like a reservation that was confirmed without a response. */
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
          @SuppressWarnings("NullAway") // null is the only value of Void
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
