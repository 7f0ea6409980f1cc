package dev.semel.cli.prove;

import dev.semel.cli.Console;
import dev.semel.cli.OutputFormat;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.proof.FlowVerdict;
import dev.semel.proof.ProofPart;
import dev.semel.proof.StoreVerdict;
import dev.semel.proof.report.VerdictSentences;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Renders all parts of a proof.
 *
 * @param parts at least one
 */
record ProofView(List<ProofPart> parts, Path report, Console console) {
  List<String> lines(OutputFormat format) {
    return switch (format) {
      case TABLE -> table();
      case JSON, JSONL -> List.of(json().write());
      case PLAIN -> plain();
    };
  }

  private boolean proved() {
    return parts.stream().allMatch(ProofPart::proved);
  }

  private List<String> table() {
    List<String> lines = new ArrayList<>();
    lines.add(colored(proved(), VerdictSentences.headline(parts) + "."));
    for (ProofPart part : parts) {
      lines.add("");
      if (parts.size() > 1) {
        lines.add(console.bold(part.about().title()));
        lines.add(colored(part.proved(), part.headline() + "."));
      }
      lines.addAll(
          switch (part) {
            case StoreVerdict verdict -> new VerdictView(verdict, console).table();
            case FlowVerdict verdict -> new FlowView(verdict, console).table();
          });
    }
    lines.add("");
    lines.add("Report: " + report);
    return lines;
  }

  private String colored(boolean good, String text) {
    return good ? console.green(text) : console.red(text);
  }

  /** A single store keeps the older format; several parts are a list. */
  private JsonObjectBuilder json() {
    if (parts.size() == 1 && parts.get(0) instanceof StoreVerdict verdict) {
      return new VerdictView(verdict, console).json().with("report", report.toString());
    }
    return Json.object()
        .with("proved", proved())
        .with("parts", parts.stream().map(this::json).toList())
        .with("report", report.toString());
  }

  private JsonValue json(ProofPart part) {
    JsonObjectBuilder members =
        switch (part) {
          case StoreVerdict verdict -> new VerdictView(verdict, console).json();
          case FlowVerdict verdict -> new FlowView(verdict, console).json();
        };
    return members.with("part", part.about().part()).build();
  }

  private List<String> plain() {
    List<String> lines = new ArrayList<>();
    lines.add("proved\t" + proved());
    for (ProofPart part : parts) {
      if (parts.size() > 1) {
        lines.add("part\t%s\t%s".formatted(part.about().part(), part.proved()));
      }
      lines.addAll(
          switch (part) {
            case StoreVerdict verdict -> new VerdictView(verdict, console).plain();
            case FlowVerdict verdict -> new FlowView(verdict, console).plain();
          });
    }
    lines.add("report\t" + report);
    return lines;
  }

  /** How often each fault happened. */
  static String faults(ProofPart part) {
    Map<String, Long> counts =
        part.faults().stream()
            .collect(
                Collectors.groupingBy(
                    fault -> fault.fault().word(), TreeMap::new, Collectors.counting()));
    return counts.isEmpty()
        ? "none"
        : counts.entrySet().stream()
            .map(entry -> entry.getValue() + " " + entry.getKey())
            .collect(Collectors.joining(", "));
  }

  static List<String> promises(ProofPart part, Console console) {
    List<String> lines = new ArrayList<>();
    part.promises()
        .forEach(
            (promise, broken) ->
                lines.add(
                    broken == 0
                        ? console.green("✓") + " " + promise
                        : console.red("✗ %s (broken %d times)".formatted(promise, broken))));
    return lines;
  }

  static List<String> reasons(ProofPart part) {
    List<String> reasons = part.broken() ? part.hazards().likely() : part.hazards().standing();
    List<String> lines = new ArrayList<>();
    if (!reasons.isEmpty()) {
      lines.add("");
      lines.add(part.broken() ? VerdictSentences.reasonLabel(part) : "Hazards of this set-up:");
      reasons.forEach(reason -> lines.add("  " + reason));
    }
    return lines;
  }

  static JsonValue json(StoreVerdict.Injected fault) {
    return Json.object()
        .with("fault", fault.fault().word())
        .with("worker", fault.worker())
        .withUnlessEmpty("way", fault.way())
        .with("at_ms", fault.at().toMillis())
        .with("length_ms", fault.length().toMillis())
        .build();
  }

  static List<JsonValue> texts(List<String> texts) {
    return texts.stream().<JsonValue>map(JsonValue::of).toList();
  }
}
