package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.internal.Ids;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A key is its tenant, operation and id, compared exactly. */
abstract class KeyContract extends ContractWords {
  private final String id = Ids.uuid7().toString();

  @Test
  void tenantNeverMeetsAnotherTenantsRecord() {
    Key mine = Key.of("acme", "payments", id);
    Key theirs = Key.of("globex", "payments", id);
    complete(mine, hold(mine), payload("secret of acme"));
    assertThat(find(theirs)).isEmpty();
    Token token = granted(claimAgain(theirs, TakeoverPolicy.IN_DOUBT)).token();
    complete(theirs, token, payload("of globex"));
    assertReplays(mine, "secret of acme");
    assertReplays(theirs, "of globex");
  }

  @Test
  void operationsAreApart() {
    assertApart(Key.of("payments", id), Key.of("refunds", id));
  }

  @Test
  void namesThatShareTheirBeginningsAreApart() {
    assertApart(Key.of("default", "payments", id), Key.of("default2", "payments", id));
    assertApart(Key.of("a", "b.c", id), Key.of("a.b", "c", id));
    assertApart(Key.of("payments", id), Key.of("payments", id + ":1"));
  }

  @Test
  void idsThatDifferOnlyInCaseAreApart() {
    assertApart(Key.of("payments", id + "-Abc"), Key.of("payments", id + "-aBC"));
    assertApart(Key.of("Payments", id), Key.of("payments", id));
  }

  @Test
  void idsThatDifferOnlyInBlanksAreApart() {
    assertApart(Key.of("payments", id), Key.of("payments", id + " "));
    assertApart(Key.of("payments", id), Key.of("payments", " " + id));
  }

  @Test
  void idsThatOnlyLookAlikeAreApart() {
    assertApart(Key.of("payments", id + "\u00e9"), Key.of("payments", id + "e\u0301"));
    assertApart(Key.of("payments", id + "ß"), Key.of("payments", id + "ss"));
  }

  @Test
  void longestKeysAreKeptToTheLastByte() {
    String room = "x".repeat(Key.MAX_BYTES - Key.of("payments", id).text().length() - 1);
    Key a = Key.of("payments", id + room + "a");
    Key b = Key.of("payments", id + room + "b");
    assertThat(a.text().getBytes(StandardCharsets.UTF_8)).hasSize(Key.MAX_BYTES);
    assertApart(a, b);
  }

  @Test
  void longestKeyOfManyByteCharactersIsKept() {
    int room = Key.MAX_BYTES - Key.of("payments", id).text().length();
    Key a = Key.of("payments", id + "日".repeat(room / 3));
    Key b = Key.of("payments", id + "日".repeat(room / 3 - 1) + "本");
    assertApart(a, b);
  }

  @TestFactory
  Stream<DynamicTest> awkwardIdIsTakenLiterally() {
    return AwkwardIds.ALL.stream()
        .map(
            awkward ->
                DynamicTest.dynamicTest(
                    "awkward id is taken literally: " + awkward,
                    () -> assertWorks(Key.of("payments", awkward + id))));
  }

  private void assertWorks(Key key) {
    Token token = hold(key);
    assertThat(renew(key, token)).isTrue();
    assertThat(release(key, token)).isTrue();
    Token second = hold(key);
    assertThat(complete(key, second)).isTrue();
    assertReplays(key, "created");
    assertThat(found(key).original().attempt()).isEqualTo(2);
    assertThat(store().catalog().delete(key)).isTrue();
    assertThat(find(key)).isEmpty();
  }

  /** Checks that each key can be held and completed while the other one is. */
  private void assertApart(Key a, Key b) {
    Token holdsA = hold(a);
    assertThat(find(b)).isEmpty();
    Token holdsB = hold(b);
    assertThat(complete(a, holdsA, payload("a"))).isTrue();
    assertThat(complete(b, holdsB, payload("b"))).isTrue();
    assertReplays(a, "a");
    assertReplays(b, "b");
    store().catalog().delete(a);
    assertReplays(b, "b");
    store().catalog().delete(b);
  }

  private void assertReplays(Key key, String response) {
    assertThat(replay(claimAgain(key, TakeoverPolicy.IN_DOUBT)).response())
        .isEqualTo(payload(response));
  }
}
