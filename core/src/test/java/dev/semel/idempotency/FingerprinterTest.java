package dev.semel.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.idempotency.internal.ChosenFields;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FingerprinterTest {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Fingerprint only(Fingerprinter<byte[]> fingerprinter, String body) {
    assertThat(fingerprinter.of(bytes(body))).hasSize(1);
    return fingerprinter.of(bytes(body)).get(0);
  }

  @Nested
  class Texts {
    /** Stored in records that outlive releases: these may never change. */
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "HASHED|raw|sha256:v1:d260d946bcca6dea53aae250926e5fe3394c71581dfcd40c7e2c4d0cd3663f27",
          "HASHED|json|sha256:v1:json:c0bf82ad036cb0a5a03d6759c1b7b8b1f70a39b32dd96ed3977c7f2831ee3b56",
          "HASHED|fields|sha256:v1:f3:eb8ed3ccb5023093b56f490a46501e88d09736687e609fdbc1c71b3df8b9ccd3",
          "CLEAR|raw|clear:v1:{ \"b\": 1.0, \"a\": null }",
          "CLEAR|json|clear:v1:json:{\"a\":null,\"b\":1}",
          "CLEAR|fields|clear:v1:f3:{\"b\":1}",
        })
    void areStable(Fingerprinters form, String way, String expected) {
      Fingerprint made =
          only(
              switch (way) {
                case "raw" -> form.raw();
                case "json" -> form.json();
                default -> form.fields(3, List.of("b"));
              },
              "{ \"b\": 1.0, \"a\": null }");
      assertThat(made.text()).isEqualTo(expected);
    }

    @Test
    void rawOnesStayKnownToCompactStores() {
      Fingerprint raw = only(Fingerprinters.HASHED.raw(), "abc");
      assertThat(raw).isEqualTo(Fingerprint.of("abc"));
      assertThat(HexFormat.of().formatHex(raw.sha256OrEmpty()))
          .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
      assertThat(Fingerprint.ofSha256(raw.sha256OrEmpty())).isEqualTo(raw);
    }

    @Test
    void onlyRawOnesPassForPlainHashes() {
      Fingerprinters hashed = Fingerprinters.HASHED;
      for (Fingerprinter<byte[]> other :
          List.of(hashed.json(), hashed.fields(1, List.of("a")), hashed.raw().scoped("POST /x"))) {
        assertThat(only(other, "{}").sha256OrEmpty()).isEmpty();
      }
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "x", ":", "é"})
    void whatWouldNotComeBackFromBytesIsNoPlainHash(String oneOf64) {
      assertThat(new Fingerprint("sha256:v1:" + "0".repeat(63) + oneOf64).sha256OrEmpty())
          .isEmpty();
    }

    @Test
    void noStoreIsGivenTextItCanNotKeep() {
      assertThatThrownBy(() -> Fingerprint.clear("a\0b")).isInstanceOf(InvalidInput.class);
      assertThatThrownBy(() -> Fingerprint.clear("a\ud800")).isInstanceOf(InvalidInput.class);
      assertThatThrownBy(() -> Fingerprint.clear("é".repeat(Fingerprint.MAX_BYTES / 2)))
          .isInstanceOf(InvalidInput.class);
    }
  }

  @Nested
  class Raw {
    @ParameterizedTest
    @EnumSource
    void everyByteCounts(Fingerprinters form) {
      assertThat(only(form.raw(), "{\"a\":1}"))
          .isEqualTo(only(form.raw(), "{\"a\":1}"))
          .isNotEqualTo(only(form.raw(), "{\"a\": 1}"))
          .isNotEqualTo(only(form.raw(), ""));
    }

    @Test
    void whatCanNotStandInTheClearIsHashed() {
      byte[] latin = {'a', (byte) 0xe9};
      assertThat(Fingerprinters.CLEAR.raw().of(latin)).containsExactly(Fingerprint.of(latin));
      for (String body : List.of("a\0b", "x".repeat(Fingerprint.MAX_BYTES))) {
        assertThat(only(Fingerprinters.CLEAR.raw(), body)).isEqualTo(Fingerprint.of(body));
      }
    }
  }

  @Nested
  class OverJson {
    @ParameterizedTest
    @EnumSource
    void spellingDoesNotCountAndMeaningDoes(Fingerprinters form) {
      assertThat(only(form.json(), "{\"a\":1,\"b\":[\"é\"]}"))
          .isEqualTo(only(form.json(), " { \"b\":[\"\\u00e9\"], \"a\":1.00 } "))
          .isNotEqualTo(only(form.json(), "{\"a\":1,\"b\":[\"e\"]}"))
          .isNotEqualTo(only(form.json(), "{\"a\":1,\"b\":[\"é\"],\"c\":null}"));
    }

    @ParameterizedTest
    @EnumSource
    void amountsBeyondADoubleAreToldApart(Fingerprinters form) {
      assertThat(only(form.json(), "{\"amount\":9007199254740993}"))
          .isNotEqualTo(only(form.json(), "{\"amount\":9007199254740992}"));
    }

    @Test
    void aLongOneIsHashedInsteadOfRefused() {
      String body = "{\"note\":\"" + "x".repeat(Fingerprint.MAX_BYTES) + "\"}";
      assertThat(only(Fingerprinters.CLEAR.json(), body))
          .isEqualTo(only(Fingerprinters.HASHED.json(), body));
      assertThat(only(Fingerprinters.CLEAR.json().scoped("POST /x"), body).text())
          .startsWith("sha256:v1:scope:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "amount=5", "{\"a\":1,\"a\":2}", "{\"a\":1"})
    void aBodyThatIsNotJsonIsRefused(String body) {
      assertThatThrownBy(() -> Fingerprinters.HASHED.json().of(bytes(body)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("not valid JSON");
      assertThatThrownBy(() -> Fingerprinters.CLEAR.fields(1, List.of("a")).of(bytes(body)))
          .isInstanceOf(InvalidInput.class);
    }
  }

  @Nested
  class OverFields {
    private final Fingerprinter<byte[]> fields =
        Fingerprinters.HASHED.fields(1, List.of("amount", "customer.id", "items[0].sku"));

    @Test
    void onlyTheChosenOnesCount() {
      String body =
          "{\"amount\":5,\"customer\":{\"id\":\"c\",\"tries\":1},\"items\":[{\"sku\":\"s\"}]}";
      assertThat(only(fields, body))
          .isEqualTo(only(fields, body.replace("\"tries\":1", "\"tries\":2")))
          .isEqualTo(only(fields, body.replace("}]}", ",\"n\":2}],\"sent\":\"now\"}")))
          .isNotEqualTo(only(fields, body.replace("5", "6")))
          .isNotEqualTo(only(fields, body.replace("\"c\"", "\"d\"")))
          .isNotEqualTo(only(fields, body.replace("\"s\"", "\"t\"")));
    }

    @Test
    void missingNullAndEmptyAreAllDifferent() {
      Fingerprinter<byte[]> note = Fingerprinters.HASHED.fields(1, List.of("note"));
      List<String> bodies =
          List.of(
              "{}",
              "{\"note\":null}",
              "{\"note\":\"\"}",
              "{\"note\":\"null\"}",
              "{\"note\":0}",
              "{\"note\":false}",
              "{\"note\":[]}",
              "{\"note\":{}}",
              "{\"note\":\"0\"}");
      assertThat(bodies.stream().map(body -> only(note, body)).distinct()).hasSize(bodies.size());
    }

    @Test
    void aValueNeverPassesForAnotherFields() {
      Fingerprinter<byte[]> two = Fingerprinters.HASHED.fields(1, List.of("a", "b"));
      assertThat(only(two, "{\"a\":\"x\"}")).isNotEqualTo(only(two, "{\"b\":\"x\"}"));
      assertThat(only(two, "{\"a\":\"xy\",\"b\":\"z\"}"))
          .isNotEqualTo(only(two, "{\"a\":\"x\",\"b\":\"yz\"}"));
      assertThat(only(two, "{\"a\":{\"b\":1}}")).isNotEqualTo(only(two, "{\"b\":1}"));
    }

    @Test
    void theirOrderDoesNotCount() {
      assertThat(only(Fingerprinters.HASHED.fields(1, List.of("a", "b")), "{\"a\":1,\"b\":2}"))
          .isEqualTo(only(Fingerprinters.HASHED.fields(1, List.of("b", "a")), "{\"b\":2,\"a\":1}"));
    }

    @Test
    void theCurrentVersionComesFirstAndOlderOnesStayKnown() {
      Fingerprinter<byte[]> before = Fingerprinters.HASHED.fields(1, List.of("amount", "currency"));
      Fingerprinter<byte[]> now =
          Fingerprinters.HASHED
              .fields(2, List.of("amount", "currency", "note"))
              .andBefore(before)
              .andBefore(Fingerprinters.HASHED.raw());
      byte[] body = bytes("{\"amount\":1,\"currency\":\"EUR\",\"note\":\"x\"}");
      List<Fingerprint> made = now.of(body);
      assertThat(made).hasSize(3);
      assertThat(made.get(0).text()).startsWith("sha256:v1:f2:");
      assertThat(made.get(1)).isEqualTo(before.of(body).get(0));
      assertThat(made.get(2)).isEqualTo(Fingerprint.of(body));
      assertThat(now.andBefore(before).of(body)).isEqualTo(made);
    }

    @Test
    void theSameFieldsUnderAnotherVersionAreAnotherFingerprint() {
      for (Fingerprinters form : Fingerprinters.values()) {
        assertThat(only(form.fields(1, List.of("a")), "{\"a\":1}"))
            .isNotEqualTo(only(form.fields(11, List.of("a")), "{\"a\":1}"));
      }
    }

    @Test
    void aPoorChoiceIsRefusedAtOnce() {
      Fingerprinters hashed = Fingerprinters.HASHED;
      assertThatThrownBy(() -> hashed.fields(0, List.of("a"))).isInstanceOf(InvalidInput.class);
      assertThatThrownBy(() -> hashed.fields(1, List.of())).isInstanceOf(InvalidInput.class);
      assertThatThrownBy(() -> hashed.fields(1, List.of("a", "a")))
          .isInstanceOf(InvalidInput.class);
      assertThatThrownBy(() -> hashed.fields(1, List.of("a..b"))).isInstanceOf(InvalidInput.class);
      List<String> many = new ArrayList<>();
      for (int i = 0; i <= ChosenFields.MAX_FIELDS; i++) {
        many.add("f" + i);
      }
      assertThatThrownBy(() -> hashed.fields(1, many)).isInstanceOf(InvalidInput.class);
    }
  }

  @Nested
  class Scoped {
    record Call(String method, String path, String body) {}

    @ParameterizedTest
    @EnumSource
    void theSameBodyElsewhereIsAnotherRequest(Fingerprinters form) {
      Fingerprinter<Call> calls =
          form.json()
              .taking((Call call) -> bytes(call.body()))
              .scoped(call -> call.method() + " " + call.path());
      Call payment = new Call("POST", "/payments", "{}");
      assertThat(calls.of(payment))
          .isEqualTo(calls.of(new Call("POST", "/payments", " {} ")))
          .isNotEqualTo(calls.of(new Call("POST", "/refunds", "{}")))
          .isNotEqualTo(calls.of(new Call("PUT", "/payments", "{}")))
          .isEqualTo(form.json().scoped("POST /payments").of(bytes("{}")));
    }

    @Test
    void theClearOneStaysReadable() {
      assertThat(only(Fingerprinters.CLEAR.json().scoped("POST /payments"), "{\"a\":1}").text())
          .isEqualTo("clear:v1:scope:[\"POST /payments\",\"clear:v1:json:{\\\"a\\\":1}\"]");
    }

    @Test
    void aRequestWithoutFingerprintIsStillBoundToItsScope() {
      Fingerprinter<byte[]> none = request -> List.of(Fingerprint.NONE);
      assertThat(
              none.scoped("A")
                  .of(new byte[0])
                  .get(0)
                  .matches(none.scoped("B").of(new byte[0]).get(0)))
          .isFalse();
    }

    @Test
    void olderVersionsAreScopedToo() {
      Fingerprinter<byte[]> both =
          Fingerprinters.HASHED.json().andBefore(Fingerprinters.HASHED.raw());
      assertThat(both.scoped("A").of(bytes("{}")))
          .hasSize(2)
          .doesNotContainAnyElementsOf(both.scoped("B").of(bytes("{}")));
    }
  }

  /**
   * Requests made to look like other schemes' texts; whatever two ways give, equal text means one.
   */
  @Test
  void waysNeverMeet() {
    Map<String, Fingerprinter<byte[]>> ways = new HashMap<>();
    for (Fingerprinters form : Fingerprinters.values()) {
      ways.put("raw" + form, form.raw());
      ways.put("json" + form, form.json());
      ways.put("f1" + form, form.fields(1, List.of("a")));
      ways.put("f2" + form, form.fields(2, List.of("a")));
      ways.put("scope raw" + form, form.raw().scoped("S"));
      ways.put("scope json" + form, form.json().scoped("S"));
      ways.put("scope scope" + form, form.raw().scoped("S").scoped("S"));
    }
    List<String> bodies =
        new ArrayList<>(List.of("{}", "{\"a\":1}", "[\"S\",\"clear:v1:{}\"]", "1", "\"f1\""));
    for (String label :
        Arrays.asList("json:", "f1:", "f2:", "scope:", "raw:", "raw:raw:", "sha256:v1:")) {
      bodies.add(label + "{}");
      bodies.add(label + "{\"a\":1}");
      bodies.add(label + "[\"S\",\"clear:v1:{}\"]");
    }
    Map<String, String> madeBy = new HashMap<>();
    ways.forEach(
        (way, fingerprinter) ->
            bodies.forEach(
                body -> {
                  List<Fingerprint> made;
                  try {
                    made = fingerprinter.of(bytes(body));
                  } catch (InvalidInput e) {
                    return; // not JSON
                  }
                  // Chosen fields may be alike in different bodies; that is what they are for.
                  String meaning = way + (way.startsWith("f") ? "" : body);
                  String other = madeBy.putIfAbsent(made.get(0).text(), meaning);
                  assertThat(other == null || other.equals(meaning))
                      .as("%s: %s and %s", made, other, meaning)
                      .isTrue();
                }));
    assertThat(madeBy).hasSizeGreaterThan(100);
  }
}
