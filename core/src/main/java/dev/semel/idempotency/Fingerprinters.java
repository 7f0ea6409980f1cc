package dev.semel.idempotency;

import dev.semel.InvalidInput;
import dev.semel.idempotency.internal.ChosenFields;
import dev.semel.json.Json;
import dev.semel.json.internal.CanonicalJson;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The ways to tell requests apart that come with the house, each of them hashed or in the clear:
 *
 * <pre>{@code
 * Fingerprinters.HASHED.fields(2, List.of("amount", "currency", "note"))
 *     .andBefore(Fingerprinters.HASHED.fields(1, List.of("amount", "currency")))
 *     .scoped("POST /payments")
 * }</pre>
 */
public enum Fingerprinters {
  /** Shows nothing of the request; the default choice. */
  HASHED,
  /**
   * Readable when two requests differ, so only for requests without secrets. One that does not fit
   * into {@value Fingerprint#MAX_BYTES} bytes, or that no store keeps as text, is hashed.
   */
  CLEAR;

  private static final String JSON = "json";

  /** Every byte counts, blanks too. */
  public Fingerprinter<byte[]> raw() {
    return switch (this) {
      case HASHED -> request -> List.of(Fingerprint.of(request));
      case CLEAR -> request -> List.of(clear(request));
    };
  }

  /** Members' order, blanks and spelling don't count; refuses a body that is not JSON. */
  public Fingerprinter<byte[]> json() {
    return request -> List.of(fingerprint(JSON, CanonicalJson.text(Json.parse(request))));
  }

  /**
   * Only these fields of a JSON body count, so that clients may change the others between tries. A
   * field that is missing, null or empty is three different things.
   *
   * @param version raise it with every change to the fields, and name the old ones by {@link
   *     Fingerprinter#andBefore}
   * @param paths such as {@code amount}, {@code customer.id}, {@code items[0].sku}
   */
  public Fingerprinter<byte[]> fields(int version, List<String> paths) {
    if (version < 1) {
      throw new InvalidInput("the fields' version is %d: count from 1".formatted(version));
    }
    ChosenFields fields = ChosenFields.of(paths);
    String label = "f" + version;
    return request -> List.of(fingerprint(label, CanonicalJson.text(fields.in(request))));
  }

  private Fingerprint fingerprint(String label, String reading) {
    return switch (this) {
      case HASHED -> Fingerprint.hashed(label, reading);
      case CLEAR -> Fingerprint.clearIfItFits(label, reading);
    };
  }

  private static Fingerprint clear(byte[] request) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(request)).toString();
      return Fingerprint.clearIfItFits(text);
    } catch (CharacterCodingException e) {
      return Fingerprint.of(request); // not text
    }
  }
}
