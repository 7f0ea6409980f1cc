package dev.semel.idempotency;

import dev.semel.InvalidInput;
import dev.semel.idempotency.internal.ChosenFields;
import dev.semel.idempotency.internal.MadeId;
import dev.semel.internal.Ids;
import dev.semel.internal.PrintableText;
import dev.semel.json.JsonValue.JsonNull;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.internal.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The built-in key strategies. Choose by what shows that two requests are the same: the producer
 * (uuid7), the data (entityVersion, contentHash, hybrid, idAndBodyHash), or the calendar
 * (dateBased).
 */
public final class KeyStrategies {
  /** Longest id that a strategy makes, in bytes; a longer one is shortened and ends in a hash. */
  public static final int MAX_ID_BYTES = MadeId.MAX_BYTES;

  /** Longest version of an entity, in bytes. */
  public static final int MAX_VERSION_BYTES = 40;

  /** How many hexadecimal digits {@link #hybrid(String...)} uses. */
  public static final int DEFAULT_HYBRID_DIGITS = 16;

  public static final int MAX_HYBRID_DIGITS = 32;

  private static final String HASH = "hash_";
  private static final String UUID_7 =
      "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

  private KeyStrategies() {}

  /**
   * A new id for every request: the producer draws it once and sends it with each try. Two requests
   * that mean the same but got different ids are not recognised as duplicates. Only senders can use
   * it; {@link Idempotency#decorate} refuses it, because it would draw a new id at every call.
   */
  public static <R> KeyStrategy<R> uuid7() {
    return strategy(
        false,
        request -> KeyChoice.of(Ids.uuid7().toString()),
        id -> id.matches(UUID_7),
        "a UUID of version 7, such as 01890a5d-ac96-774b-bcce-b302099a8057");
  }

  /** {@code entity@version}: once per state of a thing, such as {@code order-123@7}. */
  public static <R> KeyStrategy<R> entityVersion(
      Function<? super R, String> entity, Function<? super R, String> version) {
    return strategy(
        request ->
            KeyChoice.of(
                MadeId.of(entity.apply(request), "@" + checkVersion(version.apply(request)))),
        id -> id.lastIndexOf('@') > 0 && isVersion(id.substring(id.lastIndexOf('@') + 1)),
        "entity@version, such as order-123@7");
  }

  private static boolean isVersion(String version) {
    // An @ in the version is refused, so that entity and version stay distinct: a@1 in state 2 is
    // not a in state 1@2.
    return !version.isEmpty()
        && version.getBytes(StandardCharsets.UTF_8).length <= MAX_VERSION_BYTES
        && version.indexOf('@') < 0
        && PrintableText.safe(version).equals(version);
  }

  private static String checkVersion(String version) {
    if (!isVersion(version)) {
      throw new InvalidInput(
          "the version %s is not valid: use 1 to %d bytes of printable text without @"
              .formatted(PrintableText.quoted(version), MAX_VERSION_BYTES));
    }
    return version;
  }

  /**
   * {@code hash_…} over chosen fields of a JSON body: requests with equal fields are the same. 128
   * bits, so that different requests practically never collide.
   */
  public static KeyStrategy<byte[]> contentHash(String... fields) {
    ChosenFields chosen = ChosenFields.of(List.of(fields));
    return strategy(
        body -> {
          byte[] reading = keyFields(chosen, body).getBytes(StandardCharsets.UTF_8);
          return KeyChoice.of(HASH + MadeId.hash(reading));
        },
        id -> id.matches(HASH + "[0-9a-f]{" + MadeId.HASH_DIGITS + "}"),
        HASH + " and " + MadeId.HASH_DIGITS + " hexadecimal digits");
  }

  /** {@code id:hash}: the same id with another body is another request, not a mistake. */
  public static <R> KeyStrategy<R> idAndBodyHash(
      Function<? super R, String> id, Function<? super R, byte[]> body) {
    return strategy(
        request ->
            KeyChoice.of(MadeId.of(id.apply(request), ":" + MadeId.hash(body.apply(request)))),
        made -> made.matches("(?s).+:[0-9a-f]{" + MadeId.HASH_DIGITS + "}"),
        "id:hash, where the hash is the first %d hexadecimal digits of the body's SHA-256"
            .formatted(MadeId.HASH_DIGITS));
  }

  /** {@link #hybrid(int, String...)} with {@value #DEFAULT_HYBRID_DIGITS} digits. */
  public static KeyStrategy<byte[]> hybrid(String... fields) {
    return hybrid(DEFAULT_HYBRID_DIGITS, fields);
  }

  /**
   * A short content hash, for compact keys. It is safe because a fingerprint of the fields goes
   * with it: equal fingerprints are a duplicate; different ones under the same id are a collision,
   * and the later request moves to {@code id#full-hash}.
   */
  public static KeyStrategy<byte[]> hybrid(int digits, String... fields) {
    if (digits < 1 || digits > MAX_HYBRID_DIGITS) {
      throw new InvalidInput(
          "a hybrid id has 1 to %d hexadecimal digits, not %d"
              .formatted(MAX_HYBRID_DIGITS, digits));
    }
    ChosenFields chosen = ChosenFields.of(List.of(fields));
    return strategy(
        body -> {
          String reading = keyFields(chosen, body);
          String full = Ids.sha256Hex(reading.getBytes(StandardCharsets.UTF_8));
          String id = HASH + full.substring(0, digits);
          return new KeyChoice(id, List.of(Fingerprint.hashed("key", reading)), id + "#" + full);
        },
        id -> id.matches(HASH + "[0-9a-f]{" + digits + "}(#[0-9a-f]{64})?"),
        HASH + " and " + digits + " hexadecimal digits");
  }

  /** Bodies without any of the key fields would all share one key, so they are refused. */
  private static String keyFields(ChosenFields chosen, byte[] body) {
    JsonObject found = chosen.in(body);
    if (found.members().values().stream().allMatch(value -> value instanceof JsonNull)) {
      throw new InvalidInput(
          "the request has none of the fields that tell it from others: send at least one of %s"
              .formatted(chosen.paths()));
    }
    return CanonicalJson.text(found);
  }

  /**
   * {@code name@2026-11-15}: once per name and period, for schedules that may overlap or run on
   * several machines.
   *
   * @param zone whose midnight begins a day
   */
  public static <R> KeyStrategy<R> dateBased(
      Function<? super R, String> name, SchedulePeriod period, ZoneId zone, InstantSource clock) {
    return strategy(
        request ->
            KeyChoice.of(
                MadeId.of(name.apply(request), "@" + period.at(clock.instant().atZone(zone)))),
        id -> id.lastIndexOf('@') > 0 && period.names(id.substring(id.lastIndexOf('@') + 1)),
        "name@period, such as report@" + period.example());
  }

  /**
   * A key strategy written by the application.
   *
   * @param validator throws {@link InvalidInput} for an id of the wrong shape; called before a long
   *     id is shortened
   */
  public static <R> KeyStrategy<R> own(Function<? super R, String> id, Consumer<String> validator) {
    return new KeyStrategy<>() {
      @Override
      public KeyChoice keying(R request) {
        String made = id.apply(request);
        validator.accept(made);
        return KeyChoice.of(MadeId.of(made, ""));
      }

      @Override
      public void validate(String made) {
        if (!MadeId.possible(made)) {
          throw refused(made, "printable text");
        }
        if (!MadeId.shortened(made)) {
          validator.accept(made);
        }
      }
    };
  }

  private static <R> KeyStrategy<R> strategy(
      Function<R, KeyChoice> make, Predicate<String> made, String shape) {
    return strategy(true, make, made, shape);
  }

  private static <R> KeyStrategy<R> strategy(
      boolean repeatable, Function<R, KeyChoice> make, Predicate<String> made, String shape) {
    return new KeyStrategy<>() {
      @Override
      public boolean repeatable() {
        return repeatable;
      }

      @Override
      public KeyChoice keying(R request) {
        return make.apply(request);
      }

      @Override
      public void validate(String id) {
        if (!MadeId.possible(id) || !made.test(id)) {
          throw refused(id, shape);
        }
      }
    };
  }

  private static InvalidInput refused(String id, String shape) {
    return new InvalidInput(
        "the id %s is not one of this operation's: expected %s, at most %d bytes"
            .formatted(PrintableText.quoted(id), shape, MAX_ID_BYTES));
  }
}
