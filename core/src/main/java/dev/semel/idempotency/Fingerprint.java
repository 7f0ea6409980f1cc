package dev.semel.idempotency;

import dev.semel.InvalidInput;
import dev.semel.internal.Ids;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Identifies a request, so that it can be compared with the request that first used the key. The
 * text begins with the form it was made in, so that forms can change: {@code sha256:v1:…} and
 * {@code clear:v1:…} of the raw bytes, {@code sha256:v1:json:…} and others of a parsed form. Two
 * forms never give the same text for different requests.
 */
public record Fingerprint(String text) {
  public static final int MAX_BYTES = 1024;

  /** No fingerprint: matches every request. */
  public static final Fingerprint NONE = new Fingerprint("");

  static final String SHA256 = "sha256:v1:";
  static final String CLEAR = "clear:v1:";

  /** The label of a form other than the raw request. */
  private static final Pattern LABEL = Pattern.compile("[a-z][a-z0-9]*:");

  private static final Pattern PLAIN = Pattern.compile(SHA256 + "[0-9a-f]{64}");

  private static final String RAW_LABEL = "raw:";

  public Fingerprint {
    if (!storable(text)) {
      throw new InvalidInput(
          "a fingerprint can't hold NUL or half of a surrogate pair, which no store keeps: hash the request");
    }
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
    return new Fingerprint(clearText(request));
  }

  private static String clearText(String request) {
    // A request that looks like a label must not be taken for that labelled form.
    return CLEAR + (LABEL.matcher(request).lookingAt() ? RAW_LABEL : "") + request;
  }

  /** The request in the clear if it fits; a longer one is hashed instead of refused. */
  static Fingerprint clearIfItFits(String request) {
    String text = clearText(request);
    return fits(text) ? new Fingerprint(text) : of(request);
  }

  /** The hash of a parsed form of the request; the label distinguishes it from other forms. */
  static Fingerprint hashed(String label, String reading) {
    byte[] bytes = reading.getBytes(StandardCharsets.UTF_8);
    return new Fingerprint(SHA256 + label + ':' + Ids.sha256Hex(bytes));
  }

  /** A parsed form in the clear if it fits; else its hash. */
  static Fingerprint clearIfItFits(String label, String reading) {
    String text = CLEAR + label + ':' + reading;
    return fits(text) ? new Fingerprint(text) : hashed(label, reading);
  }

  private static boolean fits(String text) {
    return storable(text) && text.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES;
  }

  private static boolean storable(String text) {
    return text.codePoints()
        .noneMatch(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
  }

  /** Whether it reveals nothing of the request. */
  boolean opaque() {
    return text.isEmpty() || text.startsWith(SHA256);
  }

  /** The rule by which stores compare: equal, or one side has no fingerprint. */
  public boolean matches(Fingerprint other) {
    return text.isEmpty() || other.text.isEmpty() || text.equals(other.text);
  }

  /** The raw bytes of a plain {@code sha256:v1:} hash, for compact stores; else empty. */
  public byte[] sha256OrEmpty() {
    // Capital hexadecimal digits would come back from the bytes as another text, so they are not
    // plain.
    return PLAIN.matcher(text).matches()
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
