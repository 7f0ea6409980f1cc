package dev.semel.proof.flow;

import dev.semel.proof.FlowVerdict;
import dev.semel.proof.report.HtmlText;
import dev.semel.proof.report.PartSection;
import java.time.Duration;
import java.util.List;

/**
 * Shows on the page what broke a flow's promise: messages or entries, with all notes about them.
 */
public final class FlowExamples {
  /** The most examples on the page, which also states their total number. */
  static final int MAX_EXAMPLES = 24;

  /** The most notes of one example. */
  static final int MAX_NOTES = 40;

  private final FlowVerdict verdict;
  private final HtmlText page;

  public FlowExamples(FlowVerdict verdict, HtmlText page) {
    this.verdict = verdict;
    this.page = page;
  }

  public void write() {
    List<FlowJudgement.Example> all = verdict.judgement().examples();
    if (all.isEmpty()) {
      return;
    }
    page.raw("<h3>Counterexamples</h3>\n");
    all.stream().limit(MAX_EXAMPLES).forEach(this::example);
    PartSection.rest(page, all.size() - MAX_EXAMPLES, "more counterexamples");
  }

  private void example(FlowJudgement.Example example) {
    page.raw("<section><h4>%s</h4>", example.id());
    for (FlowJudgement.Finding finding : example.findings()) {
      page.raw("<p>%s <span class=\"quiet\">(%s)</span></p>", finding.what(), finding.promise());
    }
    page.raw("<table><tr><th>at<th>who<th>what<th></tr>");
    for (ProcessNote note : example.notes().stream().limit(MAX_NOTES).toList()) {
      page.raw(
          "<tr><td class=\"num\">%s s<td>%s<td>%s<td class=\"quiet\">%s</tr>",
          PartSection.seconds(Duration.ofNanos(note.atNanos() - verdict.beganNanos())),
          note.who(),
          note.what(),
          note.detail());
    }
    page.raw("</table>");
    PartSection.rest(page, example.notes().size() - MAX_NOTES, "more notes");
    page.raw("</section>\n");
  }
}
