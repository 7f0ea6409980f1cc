package dev.semel.proof;

import dev.semel.proof.history.RecordedCall;
import dev.semel.proof.history.Violation;
import dev.semel.proof.report.CallPhrases;
import dev.semel.proof.report.CallTimeline;
import dev.semel.proof.report.Counterexample;
import dev.semel.proof.report.HtmlText;
import dev.semel.proof.report.PartSection;
import java.time.Duration;
import java.util.List;

/**
 * Shows on the page what broke a store's promise: keys with their calls, as a picture and a table.
 */
public final class StoreExamples {
  /** The most counterexamples on the page, which also states their total number. */
  public static final int MAX_COUNTEREXAMPLES = 12;

  /** The most calls of one counterexample. */
  static final int MAX_CALLS = 60;

  /** The most sentences of one counterexample. */
  static final int MAX_SENTENCES = 6;

  private final StoreVerdict verdict;
  private final HtmlText page;

  public StoreExamples(StoreVerdict verdict, HtmlText page) {
    this.verdict = verdict;
    this.page = page;
  }

  public void write() {
    List<Counterexample> all = verdict.counterexamples();
    if (all.isEmpty()) {
      return;
    }
    page.raw("<h3>Counterexamples</h3><p class=\"quiet\">");
    page.raw(
        "<i class=\"key did\"></i>granted or done <i class=\"key again\"></i>from the record ");
    page.raw("<i class=\"key refused\"></i>refused <i class=\"key lost\"></i>no answer or failed ");
    page.raw("<i class=\"key effect\"></i>effect · in order of time, not to scale</p>\n");
    all.stream().limit(MAX_COUNTEREXAMPLES).forEach(this::counterexample);
    PartSection.rest(page, all.size() - MAX_COUNTEREXAMPLES, "more counterexamples");
  }

  private void counterexample(Counterexample example) {
    page.raw("<section><h4>%s</h4>", example.key());
    for (Violation violation : example.violations().stream().limit(MAX_SENTENCES).toList()) {
      page.raw(
          "<p>%s <span class=\"quiet\">(%s)</span></p>", violation.what(), violation.promise());
    }
    PartSection.rest(page, example.violations().size() - MAX_SENTENCES, "more");
    page.raw(new CallTimeline(example, MAX_CALLS).svg());
    page.raw("<table><tr><th>#<th>at<th>took<th>who<th>asked<th>answer</tr>");
    int number = 0;
    for (RecordedCall call : example.calls().stream().limit(MAX_CALLS).toList()) {
      number++;
      page.raw(
          "<tr class=\"%s\"><td class=\"num\">%s<td class=\"num\">%s s<td class=\"num\">%s<td>%s<td>%s<td>%s</tr>",
          CallTimeline.look(call.answer()),
          number,
          PartSection.seconds(Duration.ofNanos(call.beganNanos() - verdict.beganNanos())),
          call.endedNanos() == RecordedCall.NEVER
              ? ""
              : (call.endedNanos() - call.beganNanos()) / 1_000_000 + " ms",
          call.client(),
          CallPhrases.asked(call),
          CallPhrases.answered(call));
    }
    page.raw("</table>");
    PartSection.rest(page, example.calls().size() - MAX_CALLS, "more calls");
    page.raw("</section>\n");
  }
}
