package dev.semel.admin.document.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.advice.AdviceCriteria;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AdminActionTest {
  @Test
  void noTwoActionsHaveOneAddress() {
    assertThat(Stream.of(AdminAction.values()).map(each -> each.method() + " " + each.path()))
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource(AdminAction.class)
  void whatIsSaidOfAnActionFitsTogether(AdminAction action) {
    assertThat(action.method()).isIn("GET", "POST", "PUT", "DELETE");
    assertThat(action.summary()).endsWith(".");
    assertThat(action.parameters()).extracting(ActionParameter::name).doesNotHaveDuplicates();
    assertThat(action.parameters())
        .allSatisfy(
            each -> {
              assertThat(each.name()).matches("[a-z]+(_[a-z]+)*");
              assertThat(each.required() && !each.value().otherwise().isEmpty()).isFalse();
              assertThat(each.value().otherwise().isEmpty() || isChoice(each)).isTrue();
            });
    assertThat(action.method().equals("GET"))
        .isEqualTo(
            action.effect() == AdminAction.Effect.READS
                || action.effect() == AdminAction.Effect.REVEALS);
    assertThat(action.parameter("dry_run").isPresent())
        .isEqualTo(action.parameter("expect").isPresent())
        .isEqualTo(action.answer().names().contains("dry_run"));
  }

  private static boolean isChoice(ActionParameter parameter) {
    ActionParameter.Value value = parameter.value();
    return value.choices().isEmpty() || value.choices().contains(value.otherwise());
  }

  @Test
  void whatIsTakenOtherwiseIsWhatTheLibraryTakes() {
    assertThat(
            Arrays.stream(AdminAction.values())
                .flatMap(each -> each.parameter("percent").stream())
                .map(each -> each.value().otherwise()))
        .containsExactly(AdviceCriteria.usual().percent().toPlainString());
  }
}
