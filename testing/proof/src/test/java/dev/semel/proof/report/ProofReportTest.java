package dev.semel.proof.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.proof.FlowVerdict;
import dev.semel.proof.ProofPlan;
import dev.semel.proof.StoreExamples;
import dev.semel.proof.StoreVerdict;
import dev.semel.proof.fault.ProcessFault;
import dev.semel.proof.flow.MessageJudge;
import dev.semel.proof.flow.ProcessNote;
import dev.semel.proof.flow.ProvedFlow;
import dev.semel.proof.history.RecordedAction;
import dev.semel.proof.history.RecordedAnswer;
import dev.semel.proof.history.RecordedCall;
import dev.semel.proof.history.RecordedEffect;
import dev.semel.proof.history.Violation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProofReportTest {
  private static final String NASTY = "<script>alert('&\"')</script>";

  private static HistoryTally tally(long executed) {
    return new HistoryTally(executed, executed, executed, 0, 0, 0, 0, executed, 0, executed, 0);
  }

  private static StoreVerdict verdict(int broken) {
    return verdict(broken, 10);
  }

  private static StoreVerdict verdict(int broken, long executed) {
    List<Violation> violations = new ArrayList<>();
    for (int i = 0; i < broken; i++) {
      Key key = Key.of("prove", "x-" + i);
      RecordedCall asked =
          new RecordedCall(
              NASTY,
              key,
              new RecordedAction.Execute(TakeoverPolicy.IN_DOUBT),
              RecordedAnswer.unknown(NASTY),
              5,
              9);
      RecordedCall died =
          new RecordedCall(
              "worker-2",
              key,
              new RecordedAction.Release(Token.draw()),
              RecordedAnswer.unknown("no answer"),
              7,
              RecordedCall.NEVER);
      RecordedEffect effect = new RecordedEffect(NASTY, key, 1, false, NASTY, 6);
      violations.add(new Violation(NASTY, key, NASTY, List.of(asked, died), List.of(effect)));
    }
    return new StoreVerdict(
        NASTY,
        "run",
        new ProofPlan(Duration.ofSeconds(5), List.of(ProcessFault.KILL), 2, 42, false),
        Instant.EPOCH,
        0,
        tally(executed),
        List.of(
            new StoreVerdict.Injected(
                ProcessFault.KILL, NASTY, NASTY, Duration.ofSeconds(1), Duration.ZERO)),
        Map.of(ProcessFault.CUT, NASTY),
        List.of(new StoreVerdict.Judgement(NASTY, violations)),
        new StoreVerdict.Hazards(List.of(NASTY), List.of()),
        0);
  }

  @Test
  void whateverTextsSayThePageHasNoScriptAndAsksForNothingElse() {
    assertThat(ProofReport.html(List.of(verdict(2))))
        .contains("&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;")
        .doesNotContain("<script", "http://", "https://", "src=", "url(", "@import");
  }

  @Test
  void brokenPromiseIsDrawnWithALanePerClientAndItsPossibleReason() {
    assertThat(ProofReport.html(List.of(verdict(1))))
        .contains("The promise is broken for 1 of", "Possible reason:", "✗", "seed 42")
        .contains("<svg", ">worker-2</text>", "<circle class=\"effect\"", "prefers-color-scheme");
  }

  @Test
  void counterexamplesAreLimitedAndThePageSaysSo() {
    assertThat(ProofReport.html(List.of(verdict(StoreExamples.MAX_COUNTEREXAMPLES + 3))))
        .contains("… and 3 more counterexamples.")
        .satisfies(
            page ->
                assertThat(page.split("Time line of the calls", -1))
                    .hasSize(StoreExamples.MAX_COUNTEREXAMPLES + 1));
  }

  @Test
  void nothingBrokenIsToldFirst() {
    assertThat(ProofReport.html(List.of(verdict(0))))
        .contains("Nothing ran twice, nothing was lost", "✓")
        .doesNotContain("Time line of the calls", "Counterexamples");
  }

  @Test
  void runInWhichNothingRanProvesNothing() {
    StoreVerdict verdict = verdict(0, 0);

    assertThat(verdict.proved()).isFalse();
    assertThat(verdict.broken()).isFalse();
    assertThat(ProofReport.html(List.of(verdict)))
        .contains("<h1 class=\"bad\">Nothing was run, so nothing is proved</h1>");
  }

  private static FlowVerdict flow(boolean broken) {
    return new FlowVerdict(
        new ProvedFlow.About(
            "messages", "Outbox to inbox", NASTY, NASTY, "All took effect", "messages"),
        verdict(0).plan(),
        Instant.EPOCH,
        0,
        verdict(0).faults(),
        Map.of(),
        MessageJudge.judge(
            List.of(new ProcessNote(1_000_000_000, NASTY, MessageJudge.WRITES, "m-1", NASTY)),
            new MessageJudge.Ledger(
                List.of(new MessageJudge.Order("m-1", NASTY)),
                broken ? List.of() : List.of(new MessageJudge.Done("m-1", NASTY, 2)),
                List.of(),
                List.of())),
        new StoreVerdict.Hazards(List.of(NASTY), List.of()));
  }

  @Test
  void eachPartHasASectionAndItsOwnVerdict() {
    String page = ProofReport.html(List.of(verdict(0), flow(true)));

    assertThat(page)
        .contains(
            "1 of 2 parts did not hold", "<article id=\"store\">", "<article id=\"messages\">")
        .contains("The promise is broken for 1 messages", "<h4>m-1</h4>", "never took effect")
        .contains("When faults happened", "1.000 s<td>&lt;script")
        .doesNotContain("<script", "src=", "url(");
    assertThat(ProofReport.html(List.of(verdict(0), flow(false)))).contains("All 2 parts held");
  }
}
