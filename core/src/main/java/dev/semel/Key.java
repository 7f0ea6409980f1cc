package dev.semel;

import dev.semel.internal.Ids;
import dev.semel.internal.PrintableText;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The idempotency key: an {@code id} within an operation of a tenant. Work happens once per key.
 * Its text form is {@code tenant/operation:id}, at most {@value #MAX_BYTES} bytes of UTF-8 without
 * control characters.
 */
public record Key(Tenant tenant, Operation operation, String id) {
  public static final int MAX_BYTES = 256;

  private static final Pattern TEXT =
      Pattern.compile("(?:([A-Za-z0-9._-]+)/)?([A-Za-z0-9._-]+):(.*)", Pattern.DOTALL);

  public Key {
    if (id.isEmpty()) {
      throw new InvalidInput(
          "the key's id is empty: name what must happen once, such as " + operation + ":order-123");
    }
    if (!PrintableText.isSafe(id)) {
      throw new InvalidInput(
          "the key's id %s holds control characters or broken text: use printable text, or hash it"
              .formatted(PrintableText.quoted(id)));
    }
    int bytes =
        tenant.name().length() + operation.name().length() + PrintableText.utf8Length(id) + 2;
    if (bytes > MAX_BYTES) {
      throw new InvalidInput(
          "the key is %d bytes long and the limit is %d: shorten it, or use a hash of it as the id"
              .formatted(bytes, MAX_BYTES));
    }
  }

  /** A key of the default tenant. */
  public static Key of(String operation, String id) {
    return new Key(Tenant.DEFAULT, new Operation(operation), id);
  }

  public static Key of(String tenant, String operation, String id) {
    return new Key(new Tenant(tenant), new Operation(operation), id);
  }

  /** Reads {@code tenant/operation:id} or {@code operation:id}. */
  public static Key parse(String text) {
    Matcher m = TEXT.matcher(text);
    if (!m.matches()) {
      throw new InvalidInput(
          "the key %s has no operation: write it as operation:id or tenant/operation:id"
              .formatted(PrintableText.quoted(text)));
    }
    return of(m);
  }

  /**
   * Reads a key as {@link #parse(String)}, but a text that names no operation is taken whole as an
   * id of {@code whenBare}.
   */
  public static Key parse(String text, Operation whenBare) {
    Matcher m = TEXT.matcher(text);
    return m.matches() ? of(m) : new Key(Tenant.DEFAULT, whenBare, text);
  }

  private static Key of(Matcher m) {
    Tenant tenant = m.group(1) == null ? Tenant.DEFAULT : new Tenant(m.group(1));
    return new Key(tenant, new Operation(m.group(2)), m.group(3));
  }

  public String text() {
    return tenant.name() + '/' + operation.name() + ':' + id;
  }

  /**
   * Stable text to pass to systems that deduplicate, such as a payment provider. It is the same for
   * every attempt at this key, opaque (it shows nothing of the id), and short enough for any of
   * them.
   */
  public String effectKey() {
    return "semel-" + Ids.sha256Hex(text().getBytes(StandardCharsets.UTF_8)).substring(0, 32);
  }

  @Override
  public String toString() {
    return text();
  }
}
