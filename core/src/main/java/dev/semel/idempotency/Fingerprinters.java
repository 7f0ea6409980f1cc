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
 * The built-in fingerprints, each of them hashed or in the clear:
 *
 * <pre>{@code
 * Fingerprinters.HASHED.fields(2, List.of("amount", "currency", "note"))
 *     .andBefore(Fingerprinters.HASHED.fields(1, List.of("amount", "currency")))
 *     .scoped("POST /payments")
 * }</pre>
 */
public enum Fingerprinters {
  /** Reveals nothing of the request; the default choice. */
  HASHED,
  /**
   * Readable when two requests differ, so only for requests without secrets. A request that is
   * longer than {@value Fingerprint#MAX_BYTES} bytes, or that stores can't keep as text, is hashed.
   */
  CLEAR;

  private static final String JSON = "json";

  /** Every byte counts, including blanks. */
  public Fingerprinter<byte[]> raw() {
    return switch (this) {
      case HASHED -> request -> List.of(Fingerprint.of(request));
      case CLEAR -> request -> List.of(clear(request));
    };
  }

  /** The order of members, blanks and spelling do not count; refuses a body that is not JSON. */
  public Fingerprinter<byte[]> json() {
    return request -> List.of(fingerprint(JSON, CanonicalJson.text(Json.parse(request))));
  }

  /**
   * Only these fields of a JSON body count, so that clients may change the others between tries. A
   * missing field, a null and an empty one all differ.
   *
   * @param version raise it with every change to the fields, and add the old fields with {@link
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
      return Fingerprint.of(request); // the request is not text
    }
  }
}
