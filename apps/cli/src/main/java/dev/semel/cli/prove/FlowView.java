package dev.semel.cli.prove;

import dev.semel.cli.Console;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.proof.FlowVerdict;
import dev.semel.proof.RunFigure;
import dev.semel.proof.flow.FlowJudgement;
import dev.semel.proof.report.VerdictSentences;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Renders the verdict on messages or streams. */
record FlowView(FlowVerdict verdict, Console console) {
  /** Limit of shown violations; the report has all. */
  private static final int MAX_SHOWN = 4;

  List<String> table() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s, %d s (seed %d)"
            .formatted(
                verdict.about().subject(),
                verdict.plan().length().toSeconds(),
                verdict.plan().seed()));
    lines.add(
        verdict.figures().stream()
            .map(figure -> figure.number() + " " + figure.what())
            .collect(Collectors.joining(", ")));
    lines.add("faults: " + ProofView.faults(verdict));
    lines.addAll(VerdictSentences.leftOut(verdict));
    lines.add("");
    lines.addAll(ProofView.promises(verdict, console));
    List<FlowJudgement.Example> all = verdict.judgement().examples();
    for (FlowJudgement.Example example : all.stream().limit(MAX_SHOWN).toList()) {
      lines.add("");
      lines.add(console.bold(example.id()));
      example.findings().forEach(finding -> lines.add("  " + finding.what()));
    }
    if (all.size() > MAX_SHOWN) {
      lines.add("");
      lines.add(
          "… and %d more %s; the report tells of some"
              .formatted(all.size() - MAX_SHOWN, verdict.about().things()));
    }
    lines.addAll(ProofView.reasons(verdict));
    return lines;
  }

  JsonObjectBuilder json() {
    JsonObjectBuilder counts = Json.object();
    for (RunFigure figure : verdict.figures()) {
      counts.with(figure.name(), figure.number());
    }
    return Json.object()
        .with("proved", verdict.proved())
        .with("subject", verdict.about().subject())
        .with("seed", verdict.plan().seed())
        .with("seconds", verdict.plan().length().toSeconds())
        .with("counts", counts.build())
        .with("faults", verdict.faults().stream().map(ProofView::json).toList())
        .with(
            "left_out",
            verdict.leftOut().keySet().stream().sorted().map(f -> JsonValue.of(f.word())).toList())
        .with("promises", verdict.judgement().promises().stream().map(FlowView::json).toList())
        .with("violations", verdict.judgement().findings().stream().map(FlowView::json).toList())
        .with("hazards", ProofView.texts(verdict.hazards().standing()))
        .with("happened", ProofView.texts(verdict.hazards().happened()))
        .withUnlessEmpty("unproved", verdict.judgement().unproved().orElse(""));
  }

  private static JsonValue json(FlowJudgement.Promise promise) {
    return Json.object()
        .with("promise", promise.promise())
        .with("broken", promise.broken().size())
        .build();
  }

  private static JsonValue json(FlowJudgement.Finding finding) {
    return Json.object()
        .with("promise", finding.promise())
        .with("id", finding.id())
        .with("what", finding.what())
        .build();
  }

  List<String> plain() {
    List<String> lines = new ArrayList<>();
    verdict.figures().forEach(figure -> lines.add(figure.name() + "\t" + figure.number()));
    lines.add("faults\t" + verdict.faults().size());
    verdict
        .judgement()
        .findings()
        .forEach(each -> lines.add("violation\t%s\t%s".formatted(each.id(), each.what())));
    return lines;
  }
}
