package dev.semel.tck.proof;

import dev.semel.tck.history.Call;
import dev.semel.tck.history.Violation;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/** A verdict as one page that needs nothing else: no script, no font, no picture from elsewhere. */
public final class Report {
  /** More would hide the first; the page says how many there are. */
  static final int MAX_COUNTEREXAMPLES = 12;

  /** Of one counterexample. */
  static final int MAX_CALLS = 60;

  /** Of one counterexample. */
  static final int MAX_SENTENCES = 6;

  static final int MAX_FAULTS = 200;

  private final Verdict verdict;
  private final Html page = new Html();

  private Report(Verdict verdict) {
    this.verdict = verdict;
  }

  public static String html(Verdict verdict) {
    return new Report(verdict).write();
  }

  private String write() {
    page.raw(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
            + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
            + "<title>Semel proof</title><style>\n"
            + ReportStyle.CSS
            + "</style></head><body><main>\n");
    headline();
    counts();
    promises();
    hazards();
    faults();
    counterexamples();
    return page.raw("</main></body></html>\n").toString();
  }

  private void headline() {
    int broken = verdict.violations().size();
    page.raw("<p class=\"brand\">semel prove</p>");
    if (broken > 0) {
      page.raw("<h1 class=\"bad\">%s</h1>", Sentences.broken(verdict));
      for (String reason : verdict.hazards().likely()) {
        page.raw("<p class=\"why\"><b>%s</b> %s</p>", Sentences.reasonLabel(verdict), reason);
      }
    } else if (verdict.proved()) {
      page.raw("<h1 class=\"good\">Nothing ran twice, nothing was lost</h1>");
    } else {
      page.raw("<h1 class=\"bad\">%s</h1>", Sentences.unproved(verdict));
    }
    page.raw(
        "<p>%s · %s · %s s with %s workers · seed %s · run %s</p>\n",
        verdict.store(),
        verdict.began().truncatedTo(ChronoUnit.SECONDS),
        verdict.plan().length().toSeconds(),
        verdict.plan().workers(),
        verdict.plan().seed(),
        verdict.run());
  }

  private void counts() {
    Tally tally = verdict.tally();
    page.raw("<div class=\"counts\">");
    count(tally.keys(), "keys");
    count(tally.executions(), "times asked for");
    count(tally.executed(), "times run");
    count(tally.replayed(), "answered from the record");
    count(tally.inDoubt(), "told that it is in doubt");
    count(tally.refused(), "refused, failed or store away");
    count(tally.takeovers(), "takeovers");
    count(tally.calls(), "calls on the store");
    count(tally.lostCalls(), "of them without an answer");
    page.raw("</div>\n");
  }

  private void count(long number, String what) {
    page.raw("<div><b>%s</b>%s</div>", String.format(Locale.ROOT, "%,d", number), what);
  }

  private void promises() {
    page.raw("<h2>Promises</h2><ul class=\"promises\">");
    for (Verdict.Judgement judgement : verdict.judgements()) {
      int broken = judgement.broken().size();
      page.raw(
          "<li class=\"%s\"><span>%s</span> %s%s</li>",
          broken == 0 ? "good" : "bad",
          broken == 0 ? "✓" : "✗",
          judgement.promise(),
          broken == 0 ? "" : " (broken %d×)".formatted(broken));
    }
    page.raw("</ul>\n");
  }

  private void hazards() {
    page.raw("<h2>Hazards of this set-up</h2>");
    if (verdict.hazards().standing().isEmpty()) {
      page.raw("<p class=\"quiet\">None that the store knows of.</p>");
      return;
    }
    page.raw("<ul>");
    verdict.hazards().standing().forEach(hazard -> page.raw("<li>%s</li>", hazard));
    page.raw("</ul>\n");
  }

  private void faults() {
    page.raw("<h2>Faults</h2>");
    List<Verdict.Injected> shown = verdict.faults().stream().limit(MAX_FAULTS).toList();
    if (shown.isEmpty()) {
      page.raw("<p class=\"quiet\">None happened.</p>");
    } else {
      page.raw("<table><tr><th>at<th>for<th>whom<th>what</tr>");
      for (Verdict.Injected fault : shown) {
        page.raw(
            "<tr><td class=\"num\">%s s<td class=\"num\">%s s<td>%s<td><b>%s</b> %s</tr>",
            seconds(fault.at()),
            seconds(fault.length()),
            fault.worker(),
            fault.fault().word(),
            fault.fault().meaning());
      }
      page.raw("</table>");
      rest(verdict.faults().size() - shown.size(), "more faults");
    }
    Sentences.leftOut(verdict).forEach(left -> page.raw("<p class=\"quiet\">%s</p>", left));
  }

  private void counterexamples() {
    List<Counterexample> all = verdict.counterexamples();
    if (all.isEmpty()) {
      return;
    }
    page.raw("<h2>Counterexamples</h2><p class=\"quiet\">");
    page.raw(
        "<i class=\"key did\"></i>granted or done <i class=\"key again\"></i>from the record ");
    page.raw("<i class=\"key refused\"></i>refused <i class=\"key lost\"></i>no answer or failed ");
    page.raw("<i class=\"key effect\"></i>effect · in order of time, not to scale</p>\n");
    all.stream().limit(MAX_COUNTEREXAMPLES).forEach(this::counterexample);
    rest(all.size() - MAX_COUNTEREXAMPLES, "more counterexamples");
  }

  private void counterexample(Counterexample example) {
    page.raw("<section><h3>%s</h3>", example.key());
    for (Violation violation : example.violations().stream().limit(MAX_SENTENCES).toList()) {
      page.raw(
          "<p>%s <span class=\"quiet\">(%s)</span></p>", violation.what(), violation.promise());
    }
    rest(example.violations().size() - MAX_SENTENCES, "more");
    page.raw(new Timeline(example, MAX_CALLS).svg());
    page.raw("<table><tr><th>#<th>at<th>took<th>who<th>asked<th>answer</tr>");
    int number = 0;
    for (Call call : example.calls()) {
      number++;
      if (number > MAX_CALLS) {
        break;
      }
      page.raw(
          "<tr class=\"%s\"><td class=\"num\">%s<td class=\"num\">%s s<td class=\"num\">%s<td>%s<td>%s<td>%s</tr>",
          Timeline.look(call.answer()),
          number,
          seconds(Duration.ofNanos(call.beganNanos() - verdict.beganNanos())),
          call.endedNanos() == Call.NEVER
              ? ""
              : (call.endedNanos() - call.beganNanos()) / 1_000_000 + " ms",
          call.client(),
          Told.asked(call),
          Told.answered(call));
    }
    page.raw("</table>");
    rest(example.calls().size() - MAX_CALLS, "more calls");
    page.raw("</section>\n");
  }

  private void rest(int count, String of) {
    if (count > 0) {
      page.raw("<p class=\"quiet\">… and %s %s.</p>", count, of);
    }
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.3f", duration.toNanos() / 1e9);
  }
}
