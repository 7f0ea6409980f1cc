package dev.semel.cli;

import dev.semel.json.Json;
import java.util.ArrayList;
import java.util.List;

/** Findings in the making, and how they are shown. For one thread. */
final class Checkup {
  private final List<Finding> findings = new ArrayList<>();

  void ok(String about, String text) {
    findings.add(new Finding(about, Finding.Level.OK, text));
  }

  void warn(String about, String text) {
    findings.add(new Finding(about, Finding.Level.WARNING, text));
  }

  void problem(String about, String text) {
    findings.add(new Finding(about, Finding.Level.PROBLEM, text));
  }

  /** Each a warning; none of them: fine. */
  void all(String about, List<String> found, String fine) {
    found.forEach(finding -> warn(about, finding));
    if (found.isEmpty()) {
      ok(about, fine);
    }
  }

  boolean well() {
    return findings.stream().allMatch(Finding::ok);
  }

  List<String> lines(Format format) {
    return switch (format) {
      case TABLE -> findings.stream().map(Finding::line).toList();
      case PLAIN -> findings.stream().map(Finding::plain).toList();
      case JSON ->
          List.of(
              Json.object()
                  .with("ok", well())
                  .with("checks", findings.stream().map(Finding::json).toList())
                  .write());
      case JSONL -> findings.stream().map(each -> Json.write(each.json())).toList();
    };
  }
}
