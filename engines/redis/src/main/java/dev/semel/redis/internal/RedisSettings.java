package dev.semel.redis.internal;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.idempotency.spi.SettingsStore;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * All settings in one hash: the field is the operation, the value is the version, a space, and the
 * text.
 */
public final class RedisSettings implements SettingsStore {
  static final byte[] NAME = RedisLink.ascii("semel:{semel}:settings");

  private static final long FULL = -1;

  private final RedisLink link;

  public RedisSettings(RedisLink link) {
    this.link = link;
  }

  @Override
  public Map<Operation, Stored> readAll() {
    Map<Operation, Stored> all = new HashMap<>();
    link.get(c -> c.hgetall(NAME)).forEach((field, value) -> put(all, text(field), text(value)));
    return Map.copyOf(all);
  }

  /** Skips fields that another program wrote. */
  private static void put(Map<Operation, Stored> all, String field, String value) {
    int blank = value.indexOf(' ');
    try {
      all.put(
          new Operation(field),
          new Stored(
              Long.parseLong(value.substring(0, Math.max(0, blank))), value.substring(blank + 1)));
    } catch (InvalidInput | NumberFormatException e) {
      return;
    }
  }

  @Override
  public boolean write(Operation operation, long seen, String text) {
    Long answer =
        link.execute(
            RecordScript.SET,
            NAME,
            RedisLink.ascii(operation.name()),
            RedisLink.ascii(seen),
            text.getBytes(StandardCharsets.UTF_8),
            RedisLink.ascii(MAX_OPERATIONS));
    if (answer != null && answer == FULL) {
      throw new InvalidInput(SettingsStore.tooMany());
    }
    return answer != null && answer > 0;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
