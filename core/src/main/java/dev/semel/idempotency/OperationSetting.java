package dev.semel.idempotency;

import dev.semel.InvalidInput;
import dev.semel.internal.DurationText;
import dev.semel.internal.PrintableText;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The settings that an operator may change for one operation; see {@link OperationSettings}. */
public enum OperationSetting {
  /** {@link ProtectionMode}. */
  MODE("enforce, observe (count duplicates, let them run) or off"),
  LEASE("how long a claim holds without renewal, such as 30s"),
  MAX_HOLD("how long a claim is renewed at most, such as 1h"),
  RETENTION("how long a record is kept, such as 24h"),
  WAIT("how long a duplicate waits for the first one's result, such as 5s; 0s: not at all"),
  /** {@link TakeoverPolicy}. */
  TAKEOVER("in-doubt or run-again, when a holder let its lease end without a word"),
  ON_FAILURE("release (a retry runs) or store (a failure is final and replayed)"),
  /** {@link OnOutage}. */
  ON_OUTAGE("fail-closed or warn-and-continue, while the store is away"),
  MAX_RESPONSE("how many bytes of a response are kept at most, such as 1048576"),
  /** {@link NamedStrategy}. */
  STRATEGY("how a JSON body gets its key: content-hash or hybrid, then its fields: hybrid(a,b.c)"),
  /** The previous strategy, still checked; the change of {@code STRATEGY} sets it. */
  OLD_STRATEGY("the strategy before a change, read beside the new one for one retention"),
  /** When the old strategy ends, on the store's clock; the change of {@code STRATEGY} sets it. */
  OLD_STRATEGY_UNTIL("when the old strategy is dropped, such as 2026-11-16T12:00:00Z"),
  /** {@link NamedStrategy}. */
  SHADOW("a second strategy that is only compared with the first: content-hash(a)"),
  WORKERS("how many jobs of this queue a process runs at a time; 0: none"),
  MAX_ATTEMPTS("how often a job of this queue is tried before it is a dead letter"),
  MASK_IDS("true: the event log keeps ids of this operation only as hashes");

  private final String help;

  OperationSetting(String help) {
    this.help = help;
  }

  public String help() {
    return help;
  }

  /** As people write the setting: {@code max-hold}. */
  public String text() {
    return PrintableText.word(this);
  }

  public static OperationSetting parse(String text) {
    return Arrays.stream(values())
        .filter(setting -> setting.text().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidInput(
                    "there is no setting %s; known are %s"
                        .formatted(PrintableText.quoted(text), words(values()))));
  }

  private static String words(Enum<?>[] values) {
    return Stream.of(values).map(PrintableText::word).collect(Collectors.joining(", "));
  }

  <E extends Enum<E>> E choice(Class<E> type, String value) {
    return find(type, value).orElseThrow(() -> refused(value, words(type.getEnumConstants())));
  }

  private static <E extends Enum<E>> Optional<E> find(Class<E> type, String value) {
    return Stream.of(type.getEnumConstants())
        .filter(e -> PrintableText.word(e).equals(value))
        .findFirst();
  }

  Duration duration(String value) {
    try {
      return DurationText.parse(value);
    } catch (InvalidInput e) {
      throw refused(value, "a duration such as 30s, 5m or 24h");
    }
  }

  int number(String value, int least, String expected) {
    try {
      int number = Integer.parseInt(value);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      // refused below
    }
    throw refused(value, expected);
  }

  boolean flag(String value) {
    if (!List.of("true", "false").contains(value)) {
      throw refused(value, "true or false");
    }
    return value.equals("true");
  }

  InvalidInput refused(String value, String expected) {
    return new InvalidInput(
        "%s can't be %s: expected %s".formatted(text(), PrintableText.quoted(value), expected));
  }
}
