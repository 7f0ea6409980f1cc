package dev.semel.stream.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.stream.ContentType;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AppendBodyTest {
  private static AppendBody json(String text) {
    return AppendBody.of(ContentType.JSON, text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\": 1}|{\"a\": 1},|1",
        "[1,2]|1,2,|2",
        "[[1,2],[3,4]]|[1,2],[3,4],|2",
        "[[[1]]]|[[1]],|1",
        "[ 1 , \"a,]\" ,\t{} ]|1,\"a,]\",{},|3",
        "null|null,|1",
        "\"ü\"|\"ü\",|1"
      })
  void jsonIsFlattenedByOneLevel(String raw, String stored, int messages) {
    AppendBody body = json(raw);
    assertThat(body.problem()).isEmpty();
    assertThat(new String(body.bytes(), StandardCharsets.UTF_8)).isEqualTo(stored);
    assertThat(body.ends()).hasSize(messages).endsWith(body.length());
    for (int end : body.ends()) {
      assertThat(body.bytes()[end - 1]).isEqualTo((byte) ',');
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "[1,]", "[1 2]", "1 2", "nul", "{\"a\":}", " ", "'a'", "[1]x"})
  void jsonThatIsNoneIsAProblem(String raw) {
    AppendBody body = json(raw);
    assertThat(body.problem()).startsWith("not valid JSON at byte offset");
    assertThat(body.problemAsFirst()).isEqualTo(body.problem());
    assertThat(body.absent()).isFalse();
  }

  @Test
  void anEmptyArrayIsNothingToAppendButEnoughToBeginWith() {
    assertThat(json("[ ]").problem()).isNotEmpty();
    assertThat(json("[ ]").problemAsFirst()).isEmpty();
  }

  @Test
  void noBytesAreNoBody() {
    assertThat(json("").absent()).isTrue();
    assertThat(AppendBody.of(ContentType.BYTES, new byte[0]).absent()).isTrue();
  }

  @Test
  void otherTypesStayAsTheyAre() {
    AppendBody body = AppendBody.of(ContentType.BYTES, new byte[] {'[', 0, -1});
    assertThat(body.bytes()).containsExactly('[', 0, -1);
    assertThat(body.ends()).isEmpty();
  }
}
