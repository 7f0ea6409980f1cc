package dev.semel.idempotency;

import dev.semel.InvalidInput;
import dev.semel.idempotency.internal.ClaimTimes;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The operators' settings for one operation, for all its tenants. They take precedence over the
 * program's code; a setting that is not set stays as the code has it.
 */
public final class OperationSettings {
  /** For processes that read a change late, and for clocks that differ. */
  private static final Duration CHANGE_MARGIN = Duration.ofHours(1);

  public static final OperationSettings NONE = new OperationSettings(Map.of());

  private final Map<OperationSetting, String> values;

  /** The parsed values, parsed once because every execution reads them. */
  private final Map<OperationSetting, Object> meanings = new EnumMap<>(OperationSetting.class);

  /**
   * Settings with these values.
   *
   * @throws InvalidInput a value does not have the form that its setting needs
   */
  public OperationSettings(Map<OperationSetting, String> values) {
    EnumMap<OperationSetting, String> copy = new EnumMap<>(OperationSetting.class);
    copy.putAll(values);
    this.values = Collections.unmodifiableMap(copy);
    copy.forEach((setting, value) -> meanings.put(setting, meaning(setting, value)));
    if (copy.containsKey(OperationSetting.LEASE)) {
      ClaimTimes.checkLease(get(OperationSetting.LEASE, Duration.ZERO));
    }
    if (copy.containsKey(OperationSetting.RETENTION)) {
      ClaimTimes.checkRetention(
          get(OperationSetting.RETENTION, Duration.ZERO),
          get(OperationSetting.LEASE, Duration.ofMillis(1)));
    }
  }

  private static Object meaning(OperationSetting setting, String value) {
    return switch (setting) {
      case MODE -> setting.choice(ProtectionMode.class, value);
      case LEASE, MAX_HOLD, RETENTION -> setting.duration(value);
      case WAIT -> value.equals("0s") ? Duration.ZERO : setting.duration(value);
      case TAKEOVER -> setting.choice(TakeoverPolicy.class, value);
      case ON_FAILURE ->
          setting.choice(Kept.class, value) == Kept.STORE
              ? FailurePolicy.STORE
              : FailurePolicy.RELEASE;
      case ON_OUTAGE -> setting.choice(OnOutage.class, value);
      case MAX_RESPONSE -> setting.number(value, 0, "a number of bytes");
      case STRATEGY, OLD_STRATEGY, SHADOW -> NamedStrategy.parse(value);
      case OLD_STRATEGY_UNTIL -> instant(value);
      case WORKERS -> setting.number(value, 0, "a whole number from 0 on");
      case MAX_ATTEMPTS -> setting.number(value, 1, "a whole number from 1 on");
      case MASK_IDS -> setting.flag(value);
    };
  }

  private enum Kept {
    RELEASE,
    STORE
  }

  private static Instant instant(String value) {
    try {
      return Instant.parse(value);
    } catch (DateTimeParseException e) {
      throw OperationSetting.OLD_STRATEGY_UNTIL.refused(
          value, "a time such as 2026-11-16T12:00:00Z");
    }
  }

  /** The values as operators wrote them. */
  public Map<OperationSetting, String> values() {
    return values;
  }

  @SuppressWarnings("unchecked") // each setting has one type
  private <T> T get(OperationSetting setting, T other) {
    return (T) meanings.getOrDefault(setting, other);
  }

  private Optional<NamedStrategy> named(OperationSetting setting) {
    return Optional.ofNullable((NamedStrategy) meanings.get(setting));
  }

  public ProtectionMode mode() {
    return get(OperationSetting.MODE, ProtectionMode.ENFORCE);
  }

  public boolean maskIds() {
    return get(OperationSetting.MASK_IDS, false);
  }

  /** How many jobs of the queue run at a time, or the code's value. */
  public int workers(int code) {
    return get(OperationSetting.WORKERS, code);
  }

  /** How often a job of the queue is tried, or the code's value. */
  public int maxAttempts(int code) {
    return get(OperationSetting.MAX_ATTEMPTS, code);
  }

  public Optional<NamedStrategy> strategy() {
    return named(OperationSetting.STRATEGY);
  }

  public Optional<NamedStrategy> shadow() {
    return named(OperationSetting.SHADOW);
  }

  /** The strategy before the last change. */
  public Optional<NamedStrategy> oldStrategy() {
    return named(OperationSetting.OLD_STRATEGY);
  }

  /** Records made under the old strategy are checked until then. */
  public Instant oldStrategyUntil() {
    return get(OperationSetting.OLD_STRATEGY_UNTIL, Instant.MAX);
  }

  /**
   * The code's policy with these settings applied. Where the two together are not valid, such as a
   * lease longer than the code's retention, one of them gives way: work must not fail for it.
   */
  public ExecutionPolicy over(ExecutionPolicy code) {
    if (values.isEmpty()) {
      return code;
    }
    Duration lease = get(OperationSetting.LEASE, code.lease());
    Duration retention = get(OperationSetting.RETENTION, code.retention());
    Duration hold = get(OperationSetting.MAX_HOLD, code.maxHold());
    if (retention.compareTo(lease) < 0) {
      if (values.containsKey(OperationSetting.LEASE)) {
        retention = lease;
      } else {
        lease = retention;
      }
    }
    return new ExecutionPolicy(
        lease,
        hold.compareTo(lease) < 0 ? lease : hold,
        retention,
        get(OperationSetting.TAKEOVER, code.takeover()),
        get(OperationSetting.WAIT, code.waitUpTo()),
        get(OperationSetting.ON_FAILURE, code.onFailure()),
        get(OperationSetting.ON_OUTAGE, code.onOutage()),
        get(OperationSetting.MAX_RESPONSE, code.maxResponseBytes()));
  }

  /**
   * A copy with some values changed; an empty text removes a setting. A new strategy keeps the
   * previous one for one retention, so that earlier requests are still recognised.
   *
   * @param now on the store's clock
   */
  public OperationSettings with(Map<OperationSetting, String> changes, Instant now) {
    EnumMap<OperationSetting, String> next = new EnumMap<>(OperationSetting.class);
    next.putAll(values);
    changes.forEach(
        (setting, value) -> {
          if (value.isEmpty()) {
            next.remove(setting);
          } else {
            next.put(setting, value);
          }
        });
    String before = values.get(OperationSetting.STRATEGY);
    boolean replaced =
        changes.containsKey(OperationSetting.STRATEGY)
            && before != null
            && !before.equals(next.get(OperationSetting.STRATEGY));
    if (replaced) {
      Duration retention = get(OperationSetting.RETENTION, ExecutionPolicy.defaults().retention());
      next.put(OperationSetting.OLD_STRATEGY, before);
      next.put(
          OperationSetting.OLD_STRATEGY_UNTIL,
          now.plus(retention).plus(CHANGE_MARGIN).truncatedTo(ChronoUnit.SECONDS).toString());
    }
    return new OperationSettings(next);
  }

  /** The form in which {@link SettingsStore} keeps it. */
  public String text() {
    JsonObjectBuilder members = Json.object();
    values.forEach((setting, value) -> members.with(setting.text(), value));
    return members.write();
  }

  /**
   * Parses {@link #text()}; settings that only another version of this program knows are left out.
   */
  public static OperationSettings parse(String text) {
    if (!(Json.parse(text) instanceof JsonObject object)) {
      throw new InvalidInput("settings are a JSON object, not " + PrintableText.quoted(text));
    }
    EnumMap<OperationSetting, String> values = new EnumMap<>(OperationSetting.class);
    object
        .members()
        .forEach(
            (name, value) -> {
              for (OperationSetting setting : OperationSetting.values()) {
                if (setting.text().equals(name) && value instanceof JsonString string) {
                  values.put(setting, string.text());
                }
              }
            });
    return new OperationSettings(values);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OperationSettings o && values.equals(o.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
