package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.Store;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Checks every key of two stores. */
public final class MovedRecords {
  private static final Duration RETENTION = Duration.ofHours(10);

  private MovedRecords() {}

  public static Map<Key, StoredRecord> all(Store store, String prefix) {
    Map<Key, StoredRecord> all = new HashMap<>();
    String cursor = "";
    do {
      KeyCatalog.Page page = store.catalog().list(prefix, cursor, KeyCatalog.MAX_PAGE);
      page.entries().forEach((KeyEntry entry) -> all.put(entry.key(), entry.existing()));
      cursor = page.next();
    } while (!cursor.isEmpty());
    return all;
  }

  /** Checks that the target has every record of the source, unchanged. */
  public static Map<Key, StoredRecord> assertAllThere(Store source, Store target, String prefix) {
    Map<Key, StoredRecord> expected = all(source, prefix);
    Map<Key, StoredRecord> there = all(target, prefix);
    assertThat(there.keySet()).containsExactlyInAnyOrderElementsOf(expected.keySet());
    expected.forEach(
        (key, record) -> {
          StoredRecord copy = Objects.requireNonNull(there.get(key));
          assertThat(copy.state()).as("%s", key).isEqualTo(record.state());
          assertThat(copy.token()).as("%s", key).isEqualTo(record.token());
          assertThat(copy.fingerprint()).as("%s", key).isEqualTo(record.fingerprint());
          assertThat(copy.payload()).as("%s", key).isEqualTo(record.payload());
          assertThat(copy.original().attempt()).isEqualTo(record.original().attempt());
          assertThat(copy.original().requestId()).isEqualTo(record.original().requestId());
        });
    return there;
  }

  /**
   * Checks that holders continue on the target, that completed keys are replayed, and that nothing
   * runs again.
   */
  static void assertGoesOn(Store target, Map<Key, StoredRecord> records, Map<Key, Token> held) {
    held.forEach(
        (key, token) ->
            assertThat(
                    target
                        .idempotency()
                        .complete(
                            key,
                            token,
                            ExecutionEnd.completed(MovingLoad.response(key)),
                            RETENTION))
                .as("the holder of %s", key)
                .isTrue());
    records.forEach(
        (key, record) -> {
          if (record.state().ended() || held.containsKey(key)) {
            assertThat(ask(target, key)).isNotInstanceOf(ClaimResult.Granted.class);
          }
        });
  }

  private static ClaimResult ask(Store store, Key key) {
    return store
        .idempotency()
        .claim(
            new ClaimRequest(
                key,
                Token.draw(),
                Fingerprint.of(key.text()),
                Duration.ofMinutes(1),
                RETENTION,
                TakeoverPolicy.RUN_AGAIN,
                ""));
  }

  public static long number(JsonObject account, String name) {
    return ((JsonNumber) account.get(name).orElseThrow()).value().longValueExact();
  }

  public static void assertAddsUp(JsonObject account) {
    assertThat(number(account, "read"))
        .isEqualTo(
            number(account, "copied")
                + number(account, "updated")
                + number(account, "already_there")
                + number(account, "newer_there")
                + number(account, "differing")
                + number(account, "ended"));
  }
}
