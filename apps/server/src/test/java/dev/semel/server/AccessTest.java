package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.server.Access.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessTest {
  private static final String ADMIN = "admin-token-0123456789";
  private static final String READER = "reader-token-0123456789";
  private static final String WRITER = "writer-token-0123456789";

  @TempDir Path folder;

  private Access parse(String... lines) throws IOException {
    return Access.parse(Files.writeString(folder.resolve("tokens"), String.join("\n", lines)));
  }

  @Test
  void aTokenAloneMayDoEverythingEverywhere() throws IOException {
    Access access = parse("# who may do what", "", ADMIN + "  # the operator");
    for (Right right : Right.values()) {
      assertThat(access.check(ADMIN, right, "any/stream")).isEqualTo(Verdict.ALLOWED);
    }
    assertThat(access.isOpen()).isFalse();
  }

  @Test
  void rightsAndPrefixesLimitIt() throws IOException {
    Access access = parse(READER + " read", WRITER + " read,append orders/eu/");
    assertThat(access.check(READER, Right.READ, "any")).isEqualTo(Verdict.ALLOWED);
    assertThat(access.check(READER, Right.APPEND, "any")).isEqualTo(Verdict.FORBIDDEN);
    assertThat(access.check(WRITER, Right.APPEND, "orders/eu")).isEqualTo(Verdict.ALLOWED);
    assertThat(access.check(WRITER, Right.APPEND, "orders/eu/1")).isEqualTo(Verdict.ALLOWED);
    assertThat(access.check(WRITER, Right.ADMIN, "orders/eu/1")).isEqualTo(Verdict.FORBIDDEN);
    assertThat(access.check(WRITER, Right.READ, "orders/eu-secret")).isEqualTo(Verdict.FORBIDDEN);
    assertThat(access.check(WRITER, Right.READ, "orders")).isEqualTo(Verdict.FORBIDDEN);
    assertThat(access.check(WRITER, Right.READ, "*")).isEqualTo(Verdict.FORBIDDEN);
    assertThat(access.check(WRITER, Right.READ, "orders/eu*")).isEqualTo(Verdict.FORBIDDEN);
    assertThat(access.check(WRITER, Right.READ, "orders/eu/*")).isEqualTo(Verdict.ALLOWED);
  }

  @Test
  void whoIsNotKnownIsToldSo() throws IOException {
    Access access = parse(ADMIN);
    assertThat(access.check(null, Right.READ, "a")).isEqualTo(Verdict.UNKNOWN);
    assertThat(access.check("", Right.READ, "a")).isEqualTo(Verdict.UNKNOWN);
    assertThat(access.check(ADMIN + "x", Right.READ, "a")).isEqualTo(Verdict.UNKNOWN);
    assertThat(access.check(ADMIN.substring(1), Right.READ, "a")).isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void linesOfOneTokenAddUp() throws IOException {
    Access access = parse(WRITER + " read a", WRITER + " append b");
    assertThat(access.check(WRITER, Right.READ, "a")).isEqualTo(Verdict.ALLOWED);
    assertThat(access.check(WRITER, Right.APPEND, "b")).isEqualTo(Verdict.ALLOWED);
    assertThat(access.check(WRITER, Right.APPEND, "a")).isEqualTo(Verdict.FORBIDDEN);
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
    assertThatThrownBy(() -> Access.parse(folder.resolve("none")))
        .hasMessageContaining("can't be read");
  }
}
