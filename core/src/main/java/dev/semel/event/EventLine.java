package dev.semel.event;

import dev.semel.Key;
import dev.semel.event.internal.EventLines;
import dev.semel.internal.Ids;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * One stored event, linked to its writer's previous line by a hash.
 *
 * <p>Personal data is stored apart: the hash covers only a salted commitment to it, so that it can
 * be erased without breaking the chain, and can't be guessed from the commitment afterwards.
 *
 * @param writer the process that wrote it, from its start to its end
 * @param number 1, 2, 3 … of this writer
 * @param atMillis when it happened, on the writer's clock, since the epoch
 * @param kind such as {@code replayed}; see {@link EventLines}
 * @param tenant empty where the event is not about one
 * @param operation empty where the event is not about one
 * @param details a JSON object with nothing personal in it
 * @param personal empty once erased
 * @param commitment hexadecimal SHA-256 of {@code personal}
 * @param previous the hash of the line before; {@link #FIRST} for number 1
 * @param hash hexadecimal SHA-256 of everything but {@code personal}
 */
public record EventLine(
    String writer,
    long number,
    long atMillis,
    String kind,
    String tenant,
    String operation,
    String details,
    Personal personal,
    String commitment,
    String previous,
    String hash) {
  /** The previous hash of a writer's first line. */
  public static final String FIRST = "0".repeat(64);

  /**
   * The data that may be personal: ids that users chose, and texts that may quote them.
   *
   * @param id the id of the key; empty where there is none
   * @param more a JSON object
   * @param salt hexadecimal, random; empty once erased
   */
  public record Personal(String id, String more, String salt) {
    public static final Personal ERASED = new Personal("", "", "");

    public boolean erased() {
      return salt.isEmpty();
    }

    private String commitment() {
      return hash(salt, id, more);
    }
  }

  /** Links a line to its writer's chain. */
  public static EventLine next(EventLine unlinked, long number, String previous) {
    EventLine line =
        new EventLine(
            unlinked.writer,
            number,
            unlinked.atMillis,
            unlinked.kind,
            unlinked.tenant,
            unlinked.operation,
            unlinked.details,
            unlinked.personal,
            unlinked.personal.commitment(),
            previous,
            "");
    return line.withHash(line.computed());
  }

  private EventLine withHash(String hash) {
    return new EventLine(
        writer,
        number,
        atMillis,
        kind,
        tenant,
        operation,
        details,
        personal,
        commitment,
        previous,
        hash);
  }

  /**
   * The key under which lines about this one are found where its operation masks ids; see {@code
   * mask-ids}.
   */
  public static Key masked(Key key) {
    String id = EventLines.mask(key.tenant().name(), key.operation().name(), key.id());
    return new Key(key.tenant(), key.operation(), id);
  }

  /** Whether the line is about this key, and was not erased. */
  public boolean isAbout(Key key) {
    return !personal.erased()
        && tenant.equals(key.tenant().name())
        && operation.equals(key.operation().name())
        && personal.id().equals(key.id());
  }

  /** This line without its personal data. */
  public EventLine erased() {
    return new EventLine(
        writer,
        number,
        atMillis,
        kind,
        tenant,
        operation,
        details,
        Personal.ERASED,
        commitment,
        previous,
        hash);
  }

  /** Whether the line is as it was written, except for an erasure. */
  public boolean intact() {
    return hash.equals(computed())
        && (personal.equals(Personal.ERASED) || commitment.equals(personal.commitment()));
  }

  private String computed() {
    return hash(
        previous,
        writer,
        Long.toString(number),
        Long.toString(atMillis),
        kind,
        tenant,
        operation,
        details,
        commitment);
  }

  /** Hashes each part with its length, so that two different lists of parts never look alike. */
  private static String hash(String... parts) {
    MessageDigest digest = Ids.sha256Digest();
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
      digest.update(bytes);
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
