package dev.semel.cli.operate;

import dev.semel.cli.OutputFormat;
import dev.semel.json.Json;
import java.util.ArrayList;
import java.util.List;

/** Collects findings and renders them. For one thread. */
final class DoctorReport {
  private final List<DoctorFinding> findings = new ArrayList<>();

  void ok(String about, String text) {
    findings.add(new DoctorFinding(about, DoctorFinding.Level.OK, text));
  }

  void warn(String about, String text) {
    findings.add(new DoctorFinding(about, DoctorFinding.Level.WARNING, text));
  }

  void problem(String about, String text) {
    findings.add(new DoctorFinding(about, DoctorFinding.Level.PROBLEM, text));
  }

  /** Adds each as a warning; without any, adds the text for a good state. */
  void all(String about, List<String> found, String fine) {
    found.forEach(finding -> warn(about, finding));
    if (found.isEmpty()) {
      ok(about, fine);
    }
  }

  boolean well() {
    return findings.stream().allMatch(DoctorFinding::ok);
  }

  List<String> lines(OutputFormat format) {
    return switch (format) {
      case TABLE -> findings.stream().map(DoctorFinding::line).toList();
      case PLAIN -> findings.stream().map(DoctorFinding::plain).toList();
      case JSON ->
          List.of(
              Json.object()
                  .with("ok", well())
                  .with("checks", findings.stream().map(DoctorFinding::json).toList())
                  .write());
      case JSONL -> findings.stream().map(each -> Json.write(each.json())).toList();
    };
  }
}
