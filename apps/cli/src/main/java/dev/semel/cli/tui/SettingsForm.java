package dev.semel.cli.tui;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.OperationSettings;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The form for an operation's settings.
 *
 * @param before the current settings
 * @param values as typed; empty: not set
 * @param row index of the edited setting
 * @param problem why they can't be saved; empty: they can
 * @param saving whether they are being saved
 */
public record SettingsForm(
    Operation operation,
    OperationSettings before,
    Map<OperationSetting, String> values,
    int row,
    String problem,
    boolean saving) {
  /** Limit of a typed value's length. */
  static final int MAX_LENGTH = 200;

  /** Settings that an operator changes; a change sets the others. */
  public static final List<OperationSetting> ROWS =
      List.of(
          OperationSetting.MODE,
          OperationSetting.RETENTION,
          OperationSetting.LEASE,
          OperationSetting.MAX_HOLD,
          OperationSetting.WAIT,
          OperationSetting.TAKEOVER,
          OperationSetting.ON_FAILURE,
          OperationSetting.ON_OUTAGE,
          OperationSetting.MAX_RESPONSE,
          OperationSetting.STRATEGY,
          OperationSetting.SHADOW,
          OperationSetting.WORKERS,
          OperationSetting.MAX_ATTEMPTS,
          OperationSetting.MASK_IDS);

  public SettingsForm {
    EnumMap<OperationSetting, String> copy = new EnumMap<>(OperationSetting.class);
    copy.putAll(values);
    values = Collections.unmodifiableMap(copy);
  }

  static SettingsForm of(Operation operation, OperationSettings settings) {
    return new SettingsForm(operation, settings, settings.values(), 0, "", false);
  }

  public OperationSetting setting() {
    return ROWS.get(row);
  }

  public String value(OperationSetting setting) {
    return values.getOrDefault(setting, "");
  }

  SettingsForm moved(int by) {
    int next = Math.floorMod(row + by, ROWS.size());
    return new SettingsForm(operation, before, values, next, problem, false);
  }

  SettingsForm typed(char character) {
    String value = value(setting());
    return value.length() >= MAX_LENGTH ? this : written(value + character);
  }

  SettingsForm erased() {
    String value = value(setting());
    return written(value.isEmpty() ? "" : value.substring(0, value.length() - 1));
  }

  /** Selects the next or previous word of the setting; changes nothing if it takes any text. */
  SettingsForm turned(int by) {
    List<String> words = words(setting());
    if (words.isEmpty()) {
      return this;
    }
    int at = words.indexOf(value(setting()));
    return written(words.get(Math.floorMod(at + by, words.size())));
  }

  /** Possible values; the empty text, for not set, comes first. */
  static List<String> words(OperationSetting setting) {
    return switch (setting) {
      case MODE -> List.of("", "enforce", "observe", "off");
      case TAKEOVER -> List.of("", "in-doubt", "run-again");
      case ON_FAILURE -> List.of("", "release", "store");
      case ON_OUTAGE -> List.of("", "fail-closed", "warn-and-continue");
      case MASK_IDS -> List.of("", "true", "false");
      case LEASE,
          MAX_HOLD,
          RETENTION,
          WAIT,
          MAX_RESPONSE,
          STRATEGY,
          OLD_STRATEGY,
          OLD_STRATEGY_UNTIL,
          SHADOW,
          WORKERS,
          MAX_ATTEMPTS ->
          List.of();
    };
  }

  private SettingsForm written(String value) {
    EnumMap<OperationSetting, String> next = new EnumMap<>(OperationSetting.class);
    next.putAll(values);
    next.put(setting(), value);
    SettingsForm form = new SettingsForm(operation, before, next, row, "", false);
    return new SettingsForm(operation, before, next, row, form.check(), false);
  }

  private String check() {
    try {
      OperationSettings unused = before.with(changes(), Instant.EPOCH);
      return "";
    } catch (InvalidInput e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Differences to before; an empty text removes a setting. */
  public Map<OperationSetting, String> changes() {
    EnumMap<OperationSetting, String> changes = new EnumMap<>(OperationSetting.class);
    for (OperationSetting setting : ROWS) {
      String was = before.values().getOrDefault(setting, "");
      if (!was.equals(value(setting))) {
        changes.put(setting, value(setting));
      }
    }
    return changes;
  }

  SettingsForm sent() {
    return new SettingsForm(operation, before, values, row, problem, true);
  }

  SettingsForm refused(String why) {
    return new SettingsForm(operation, before, values, row, why, false);
  }
}
