package dev.semel.tck.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Takeover;
import dev.semel.tck.history.Action;
import dev.semel.tck.history.Answer;
import dev.semel.tck.history.Call;
import dev.semel.tck.history.Effect;
import dev.semel.tck.history.History;
import dev.semel.tck.history.Violation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final String NASTY = "<script>alert('&\"')</script>";

  private static Verdict verdict(int broken) {
    List<Violation> violations = new ArrayList<>();
    for (int i = 0; i < broken; i++) {
      Key key = Key.of("prove", "x-" + i);
      Call asked =
          new Call(NASTY, key, new Action.Execute(Takeover.IN_DOUBT), Answer.unknown(NASTY), 5, 9);
      Call died =
          new Call(
              "worker-2",
              key,
              new Action.Release(Token.draw()),
              Answer.unknown("no answer"),
              7,
              Call.NEVER);
      Effect effect = new Effect(NASTY, key, 1, false, NASTY, 6);
      violations.add(new Violation(NASTY, key, NASTY, List.of(asked, died), List.of(effect)));
    }
    return new Verdict(
        NASTY,
        "run",
        new Plan(Duration.ofSeconds(5), List.of(Fault.KILL), 2, 42, false),
        Instant.EPOCH,
        0,
        Duration.ofSeconds(6),
        Tally.of(new History(List.of(), List.of())),
        List.of(new Verdict.Injected(Fault.KILL, NASTY, Duration.ofSeconds(1), Duration.ZERO)),
        Map.of(Fault.CUT, NASTY),
        List.of(new Verdict.Judgement(NASTY, violations)),
        new Verdict.Hazards(List.of(NASTY), List.of()),
        0);
  }

  @Test
  void whateverTextsSayThePageHasNoScriptAndAsksForNothingElse() {
    assertThat(Report.html(verdict(2)))
        .contains("&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;")
        .doesNotContain("<script", "http://", "https://", "src=", "url(", "@import");
  }

  @Test
  void brokenPromiseIsDrawnWithALanePerClientAndItsPossibleReason() {
    assertThat(Report.html(verdict(1)))
        .contains("The promise is broken for 1 of", "Possible reason:", "✗", "seed 42")
        .contains("<svg", ">worker-2</text>", "<circle class=\"effect\"", "prefers-color-scheme");
  }

  @Test
  void counterexamplesAreLimitedAndThePageSaysSo() {
    assertThat(Report.html(verdict(Report.MAX_COUNTEREXAMPLES + 3)))
        .contains("… and 3 more counterexamples.")
        .satisfies(
            page -> assertThat(page.split("<svg", -1)).hasSize(Report.MAX_COUNTEREXAMPLES + 1));
  }

  @Test
  void nothingBrokenIsToldFirst() {
    assertThat(Report.html(verdict(0)))
        .contains("Nothing ran twice, nothing was lost", "✓")
        .doesNotContain("<svg", "Counterexamples");
  }
}
