package dev.semel.cli;

import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.Members;
import dev.semel.tck.history.Violation;
import dev.semel.tck.proof.Counterexample;
import dev.semel.tck.proof.Sentences;
import dev.semel.tck.proof.Tally;
import dev.semel.tck.proof.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A verdict as people and programs see it. */
record VerdictView(Verdict verdict, Path report, Console console) {
  /** The report has more of them, and draws them. */
  private static final int MAX_SHOWN = 4;

  private static final int MAX_SENTENCES = 2;

  List<String> lines(Format format) {
    return switch (format) {
      case TABLE -> table();
      case JSON, JSONL -> List.of(json().write());
      case PLAIN -> plain();
    };
  }

  private List<String> table() {
    List<String> lines = new ArrayList<>();
    Tally tally = verdict.tally();
    lines.add(headline());
    lines.add("");
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
    lines.add("faults: " + faults());
    lines.addAll(Sentences.leftOut(verdict));
    lines.add("");
    for (Verdict.Judgement judgement : verdict.judgements()) {
      int broken = judgement.broken().size();
      lines.add(
          broken == 0
              ? console.green("✓") + " " + judgement.promise()
              : console.red("✗ %s (broken %d times)".formatted(judgement.promise(), broken)));
    }
    violations(lines);
    reasons(lines);
    lines.add("");
    lines.add("Report: " + report);
    return lines;
  }

  private String headline() {
    if (verdict.proved()) {
      return console.green("Nothing ran twice, nothing was lost.");
    }
    return console.red(
        (verdict.violations().isEmpty() ? Sentences.unproved(verdict) : Sentences.broken(verdict))
            + ".");
  }

  /** How often each happened. */
  private String faults() {
    Map<String, Long> counts =
        verdict.faults().stream()
            .collect(
                Collectors.groupingBy(
                    fault -> fault.fault().word(), TreeMap::new, Collectors.counting()));
    return counts.isEmpty()
        ? "none"
        : counts.entrySet().stream()
            .map(entry -> entry.getValue() + " " + entry.getKey())
            .collect(Collectors.joining(", "));
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

  private void reasons(List<String> lines) {
    List<String> reasons =
        verdict.violations().isEmpty() ? verdict.hazards().standing() : verdict.hazards().likely();
    if (!reasons.isEmpty()) {
      lines.add("");
      lines.add(
          verdict.violations().isEmpty()
              ? "Hazards of this set-up:"
              : Sentences.reasonLabel(verdict));
      reasons.forEach(reason -> lines.add("  " + reason));
    }
  }

  private Members json() {
    Tally tally = verdict.tally();
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
        .with("faults", verdict.faults().stream().map(VerdictView::json).toList())
        .with(
            "left_out",
            verdict.leftOut().keySet().stream().sorted().map(f -> JsonValue.of(f.word())).toList())
        .with("promises", verdict.judgements().stream().map(VerdictView::json).toList())
        .with("violations", verdict.violations().stream().map(VerdictView::json).toList())
        .with("hazards", texts(verdict.hazards().standing()))
        .with("happened", texts(verdict.hazards().happened()))
        .with("unasked", verdict.unasked())
        .with("undecided", verdict.undecided())
        .with("report", report.toString());
  }

  private static List<JsonValue> texts(List<String> texts) {
    return texts.stream().<JsonValue>map(JsonValue::of).toList();
  }

  private static JsonValue json(Verdict.Injected fault) {
    return Json.object()
        .with("fault", fault.fault().word())
        .with("worker", fault.worker())
        .with("at_ms", fault.at().toMillis())
        .with("length_ms", fault.length().toMillis())
        .build();
  }

  private static JsonValue json(Verdict.Judgement judgement) {
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

  private List<String> plain() {
    List<String> lines = new ArrayList<>();
    lines.add("proved\t" + verdict.proved());
    lines.add("keys\t" + verdict.tally().keys());
    lines.add("executions\t" + verdict.tally().executions());
    lines.add("faults\t" + verdict.faults().size());
    verdict
        .violations()
        .forEach(v -> lines.add("violation\t%s\t%s".formatted(v.key().text(), v.what())));
    lines.add("report\t" + report);
    return lines;
  }
}
