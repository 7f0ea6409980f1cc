package dev.semel.cli.prove;

import dev.semel.cli.Console;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.proof.StoreVerdict;
import dev.semel.proof.history.Violation;
import dev.semel.proof.report.Counterexample;
import dev.semel.proof.report.HistoryTally;
import dev.semel.proof.report.VerdictSentences;
import java.util.ArrayList;
import java.util.List;

/** Renders the verdict on a store. */
record VerdictView(StoreVerdict verdict, Console console) {
  /** Limit of shown violations; the report has all, with drawings. */
  private static final int MAX_SHOWN = 4;

  private static final int MAX_SENTENCES = 2;

  List<String> table() {
    List<String> lines = new ArrayList<>();
    HistoryTally tally = verdict.tally();
    lines.add(
        "%d keys asked for %d times in %d s by %d workers on %s (seed %d)"
            .formatted(
                tally.keys(),
                tally.executions(),
                verdict.plan().length().toSeconds(),
                verdict.plan().workers(),
                verdict.store(),
                verdict.plan().seed()));
    lines.add(
        "%d run, %d replayed, %d told in doubt, %d refused or failed, %d callers died"
            .formatted(
                tally.executed(),
                tally.replayed(),
                tally.inDoubt(),
                tally.refused(),
                tally.unanswered()));
    lines.add(
        "%d calls on the store, %d without an answer, %d takeovers"
            .formatted(tally.calls(), tally.lostCalls(), tally.takeovers()));
    lines.add("faults: " + ProofView.faults(verdict));
    lines.addAll(VerdictSentences.leftOut(verdict));
    lines.add("");
    lines.addAll(ProofView.promises(verdict, console));
    violations(lines);
    lines.addAll(ProofView.reasons(verdict));
    return lines;
  }

  private void violations(List<String> lines) {
    List<Counterexample> all = verdict.counterexamples();
    for (Counterexample example : all.stream().limit(MAX_SHOWN).toList()) {
      lines.add("");
      lines.add(console.bold(example.key().text()));
      example.violations().stream()
          .limit(MAX_SENTENCES)
          .forEach(violation -> lines.add("  " + violation.what()));
    }
    if (all.size() > MAX_SHOWN) {
      lines.add("");
      lines.add("… and %d more keys; the report draws some".formatted(all.size() - MAX_SHOWN));
    }
  }

  JsonObjectBuilder json() {
    HistoryTally tally = verdict.tally();
    return Json.object()
        .with("proved", verdict.proved())
        .with("store", verdict.store())
        .with("run", verdict.run())
        .with("seed", verdict.plan().seed())
        .with("seconds", verdict.plan().length().toSeconds())
        .with("workers", verdict.plan().workers())
        .with(
            "counts",
            Json.object()
                .with("keys", tally.keys())
                .with("executions", tally.executions())
                .with("executed", tally.executed())
                .with("replayed", tally.replayed())
                .with("in_doubt", tally.inDoubt())
                .with("refused", tally.refused())
                .with("unanswered", tally.unanswered())
                .with("effects", tally.effects())
                .with("takeovers", tally.takeovers())
                .with("calls", tally.calls())
                .with("lost_calls", tally.lostCalls())
                .build())
        .with("faults", verdict.faults().stream().map(ProofView::json).toList())
        .with(
            "left_out",
            verdict.leftOut().keySet().stream().sorted().map(f -> JsonValue.of(f.word())).toList())
        .with("promises", verdict.judgements().stream().map(VerdictView::json).toList())
        .with("violations", verdict.violations().stream().map(VerdictView::json).toList())
        .with("hazards", ProofView.texts(verdict.hazards().standing()))
        .with("happened", ProofView.texts(verdict.hazards().happened()))
        .with("unasked", verdict.unasked())
        .with("undecided", verdict.undecided());
  }

  private static JsonValue json(StoreVerdict.Judgement judgement) {
    return Json.object()
        .with("promise", judgement.promise())
        .with("broken", judgement.broken().size())
        .build();
  }

  private static JsonValue json(Violation violation) {
    return Json.object()
        .with("promise", violation.promise())
        .with("key", violation.key().text())
        .with("what", violation.what())
        .build();
  }

  List<String> plain() {
    List<String> lines = new ArrayList<>();
    lines.add("keys\t" + verdict.tally().keys());
    lines.add("executions\t" + verdict.tally().executions());
    lines.add("faults\t" + verdict.faults().size());
    verdict
        .violations()
        .forEach(v -> lines.add("violation\t%s\t%s".formatted(v.key().text(), v.what())));
    return lines;
  }
}
