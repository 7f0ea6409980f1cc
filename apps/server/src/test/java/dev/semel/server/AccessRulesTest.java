package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.server.AccessRules.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessRulesTest {
  private static final String ADMIN = "admin-token-0123456789";
  private static final String READER = "reader-token-0123456789";
  private static final String WRITER = "writer-token-0123456789";

  @TempDir Path folder;

  private AccessRules parse(String... lines) throws IOException {
    return AccessRules.parse(Files.writeString(folder.resolve("tokens"), String.join("\n", lines)));
  }

  @Test
  void aTokenAloneMayDoEverythingEverywhere() throws IOException {
    AccessRules access = parse("# who may do what", "", ADMIN + "  # the operator");
    for (AccessRight right : AccessRight.values()) {
      assertThat(access.check(ADMIN, right, "any/stream")).isEqualTo(Verdict.ALLOWED);
    }
    assertThat(access.isOpen()).isFalse();
  }

  @Test
  void rightsAndPrefixesLimitIt() throws IOException {
    AccessRules access = parse(READER + " read", WRITER + " read,append orders/eu/");
    assertThat(access.check(READER, AccessRight.READ, "any")).isEqualTo(Verdict.ALLOWED);
    assertThat(access.check(READER, AccessRight.APPEND, "any")).isEqualTo(Verdict.FORBIDDEN);
    assertThat(access.check(WRITER, AccessRight.APPEND, "orders/eu")).isEqualTo(Verdict.ALLOWED);
    assertThat(access.check(WRITER, AccessRight.APPEND, "orders/eu/1")).isEqualTo(Verdict.ALLOWED);
    assertThat(access.check(WRITER, AccessRight.ADMIN, "orders/eu/1")).isEqualTo(Verdict.FORBIDDEN);
    assertThat(access.check(WRITER, AccessRight.READ, "orders/eu-secret"))
        .isEqualTo(Verdict.FORBIDDEN);
    assertThat(access.check(WRITER, AccessRight.READ, "orders")).isEqualTo(Verdict.FORBIDDEN);
    assertThat(access.check(WRITER, AccessRight.READ, "*")).isEqualTo(Verdict.FORBIDDEN);
    assertThat(access.check(WRITER, AccessRight.READ, "orders/eu*")).isEqualTo(Verdict.FORBIDDEN);
    assertThat(access.check(WRITER, AccessRight.READ, "orders/eu/*")).isEqualTo(Verdict.ALLOWED);
  }

  @Test
  void whoIsNotKnownIsToldSo() throws IOException {
    AccessRules access = parse(ADMIN);
    assertThat(access.check(null, AccessRight.READ, "a")).isEqualTo(Verdict.UNKNOWN);
    assertThat(access.check("", AccessRight.READ, "a")).isEqualTo(Verdict.UNKNOWN);
    assertThat(access.check(ADMIN + "x", AccessRight.READ, "a")).isEqualTo(Verdict.UNKNOWN);
    assertThat(access.check(ADMIN.substring(1), AccessRight.READ, "a")).isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void linesOfOneTokenAddUp() throws IOException {
    AccessRules access = parse(WRITER + " read a", WRITER + " append b");
    assertThat(access.check(WRITER, AccessRight.READ, "a")).isEqualTo(Verdict.ALLOWED);
    assertThat(access.check(WRITER, AccessRight.APPEND, "b")).isEqualTo(Verdict.ALLOWED);
    assertThat(access.check(WRITER, AccessRight.APPEND, "a")).isEqualTo(Verdict.FORBIDDEN);
  }

  @Test
  void mistakesNameTheLineAndNeverTheToken() {
    String secret = "secret-secret-secret";
    for (String bad :
        new String[] {
          secret + " write",
          secret + " read,",
          secret + " read /orders",
          secret + " read a b",
          "short-secret",
          secret + "ü read"
        }) {
      assertThatThrownBy(() -> parse("# first", bad))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("tokens, line 2")
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void aFileWithoutTokensIsAMistake() {
    assertThatThrownBy(() -> parse("# nothing")).hasMessageContaining("holds no token");
    assertThatThrownBy(() -> AccessRules.parse(folder.resolve("none")))
        .hasMessageContaining("can't be read");
  }
}
