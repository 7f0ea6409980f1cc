package dev.semel.idempotency;

import dev.semel.Ids;
import dev.semel.InvalidInput;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * What a request was, in a form that can be compared with the request that first used the key. The
 * text says how it was made ({@code sha256:v1:…}), so that ways of making it can change.
 */
public record Fingerprint(String text) {
  public static final int MAX_BYTES = 1024;

  /** No fingerprint: matches every request. */
  public static final Fingerprint NONE = new Fingerprint("");

  static final String SHA256 = "sha256:v1:";
  static final String CLEAR = "clear:v1:";

  public Fingerprint {
    if (text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      throw new InvalidInput(
          "a fingerprint is at most %d bytes: hash the request instead of keeping it in the clear"
              .formatted(MAX_BYTES));
    }
  }

  /** The SHA-256 of the raw bytes. */
  public static Fingerprint of(byte[] request) {
    return new Fingerprint(SHA256 + Ids.sha256Hex(request));
  }

  public static Fingerprint of(String request) {
    return of(request.getBytes(StandardCharsets.UTF_8));
  }

  /** The request itself, readable when two differ; for small requests that hold no secret. */
  public static Fingerprint clear(String request) {
    return new Fingerprint(CLEAR + request);
  }

  /** Stores compare by this rule: equal, or one side has none. */
  public boolean matches(Fingerprint other) {
    return text.isEmpty() || other.text.isEmpty() || text.equals(other.text);
  }

  /** The hash in raw bytes where the text is a plain {@code sha256:v1:} one, for compact stores. */
  public byte[] sha256OrEmpty() {
    return text.length() == SHA256.length() + 64 && text.startsWith(SHA256)
        ? HexFormat.of().parseHex(text, SHA256.length(), text.length())
        : new byte[0];
  }

  public static Fingerprint ofSha256(byte[] hash) {
    return new Fingerprint(SHA256 + HexFormat.of().formatHex(hash));
  }

  @Override
  public String toString() {
    return text;
  }
}
