package dev.semel.idempotency;

import dev.semel.InvalidInput;
import dev.semel.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import dev.semel.json.Members;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What operators set for one operation, for all its tenants. It goes before what the program's own
 * code says; what is not set stays as the code has it.
 */
public final class OperationSettings {
  /** For processes that hear of a change late, and for clocks that differ. */
  private static final Duration CHANGE_MARGIN = Duration.ofHours(1);

  public static final OperationSettings NONE = new OperationSettings(Map.of());

  private final Map<Setting, String> values;

  /** What the texts mean, read once: every execution asks. */
  private final Map<Setting, Object> meanings = new EnumMap<>(Setting.class);

  /**
   * @throws InvalidInput a value has not the shape that its setting wants
   */
  public OperationSettings(Map<Setting, String> values) {
    EnumMap<Setting, String> copy = new EnumMap<>(Setting.class);
    copy.putAll(values);
    this.values = Collections.unmodifiableMap(copy);
    copy.forEach((setting, value) -> meanings.put(setting, meaning(setting, value)));
    if (copy.containsKey(Setting.LEASE)) {
      ClaimRequest.checkLease(get(Setting.LEASE, Duration.ZERO));
    }
    if (copy.containsKey(Setting.RETENTION)) {
      ClaimRequest.checkRetention(
          get(Setting.RETENTION, Duration.ZERO), get(Setting.LEASE, Duration.ofMillis(1)));
    }
  }

  private static Object meaning(Setting setting, String value) {
    return switch (setting) {
      case MODE -> setting.choice(Mode.class, value);
      case LEASE, MAX_HOLD, RETENTION -> setting.duration(value);
      case WAIT -> value.equals("0s") ? Duration.ZERO : setting.duration(value);
      case TAKEOVER -> setting.choice(Takeover.class, value);
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
      throw Setting.OLD_STRATEGY_UNTIL.refused(value, "a time such as 2026-11-16T12:00:00Z");
    }
  }

  /** The texts, as operators wrote them. */
  public Map<Setting, String> values() {
    return values;
  }

  @SuppressWarnings("unchecked") // what a setting means is always of one type
  private <T> T get(Setting setting, T other) {
    return (T) meanings.getOrDefault(setting, other);
  }

  private Optional<NamedStrategy> named(Setting setting) {
    return Optional.ofNullable((NamedStrategy) meanings.get(setting));
  }

  public Mode mode() {
    return get(Setting.MODE, Mode.ENFORCE);
  }

  public boolean maskIds() {
    return get(Setting.MASK_IDS, false);
  }

  /** How many jobs of the queue run at a time. */
  public int workers(int code) {
    return get(Setting.WORKERS, code);
  }

  /** How often a job of the queue is tried. */
  public int maxAttempts(int code) {
    return get(Setting.MAX_ATTEMPTS, code);
  }

  public Optional<NamedStrategy> strategy() {
    return named(Setting.STRATEGY);
  }

  public Optional<NamedStrategy> shadow() {
    return named(Setting.SHADOW);
  }

  /** The strategy before the last change. */
  public Optional<NamedStrategy> oldStrategy() {
    return named(Setting.OLD_STRATEGY);
  }

  /** From then on records made under the old strategy are no longer met. */
  public Instant oldStrategyUntil() {
    return get(Setting.OLD_STRATEGY_UNTIL, Instant.MAX);
  }

  /**
   * The code's policy with these settings in place of it. Where both together make no sense, as a
   * lease longer than the code's retention, the other one gives way: work must not fail for it.
   */
  public Policy over(Policy code) {
    if (values.isEmpty()) {
      return code;
    }
    Duration lease = get(Setting.LEASE, code.lease());
    Duration retention = get(Setting.RETENTION, code.retention());
    Duration hold = get(Setting.MAX_HOLD, code.maxHold());
    if (retention.compareTo(lease) < 0) {
      if (values.containsKey(Setting.LEASE)) {
        retention = lease;
      } else {
        lease = retention;
      }
    }
    return new Policy(
        lease,
        hold.compareTo(lease) < 0 ? lease : hold,
        retention,
        get(Setting.TAKEOVER, code.takeover()),
        get(Setting.WAIT, code.waitUpTo()),
        get(Setting.ON_FAILURE, code.onFailure()),
        get(Setting.ON_OUTAGE, code.onOutage()),
        get(Setting.MAX_RESPONSE, code.maxResponseBytes()));
  }

  /**
   * Some values changed; an empty text takes one away. A new strategy keeps the one before beside
   * it for one retention, so that what was done under it is still recognised.
   *
   * @param now on the store's clock
   */
  public OperationSettings with(Map<Setting, String> changes, Instant now) {
    EnumMap<Setting, String> next = new EnumMap<>(Setting.class);
    next.putAll(values);
    changes.forEach(
        (setting, value) -> {
          if (value.isEmpty()) {
            next.remove(setting);
          } else {
            next.put(setting, value);
          }
        });
    String before = values.get(Setting.STRATEGY);
    boolean replaced =
        changes.containsKey(Setting.STRATEGY)
            && before != null
            && !before.equals(next.get(Setting.STRATEGY));
    if (replaced) {
      Duration retention = get(Setting.RETENTION, Policy.defaults().retention());
      next.put(Setting.OLD_STRATEGY, before);
      next.put(
          Setting.OLD_STRATEGY_UNTIL,
          now.plus(retention).plus(CHANGE_MARGIN).truncatedTo(ChronoUnit.SECONDS).toString());
    }
    return new OperationSettings(next);
  }

  /** As {@link SettingsStore} keeps it. */
  public String text() {
    Members members = Json.object();
    values.forEach((setting, value) -> members.with(setting.text(), value));
    return members.write();
  }

  /** From {@link #text()}; what only another version of this program knows is left out. */
  public static OperationSettings parse(String text) {
    if (!(Json.parse(text) instanceof JsonObject object)) {
      throw new InvalidInput("settings are a JSON object, not " + PrintableText.quoted(text));
    }
    EnumMap<Setting, String> values = new EnumMap<>(Setting.class);
    object
        .members()
        .forEach(
            (name, value) -> {
              for (Setting setting : Setting.values()) {
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
