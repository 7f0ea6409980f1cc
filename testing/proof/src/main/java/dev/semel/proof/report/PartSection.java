package dev.semel.proof.report;

import dev.semel.proof.FlowVerdict;
import dev.semel.proof.ProofPart;
import dev.semel.proof.RunFigure;
import dev.semel.proof.StoreExamples;
import dev.semel.proof.StoreVerdict;
import dev.semel.proof.flow.FlowExamples;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** One part of a proof on the page: description, figures, promises, faults, counterexamples. */
public final class PartSection {
  static final int MAX_FAULTS = 200;

  private final ProofPart part;
  private final HtmlText page;
  private final boolean several;

  /**
   * @param several whether there are other parts, so that this one needs a separate verdict
   */
  PartSection(ProofPart part, HtmlText page, boolean several) {
    this.part = part;
    this.page = page;
    this.several = several;
  }

  void write() {
    page.raw("<article id=\"%s\">", part.about().part());
    head();
    figures();
    promises();
    hazards();
    faults();
    switch (part) {
      case StoreVerdict verdict -> new StoreExamples(verdict, page).write();
      case FlowVerdict verdict -> new FlowExamples(verdict, page).write();
    }
    page.raw("</article>\n");
  }

  private void head() {
    page.raw("<h2>%s</h2>", part.about().title());
    if (several) {
      page.raw("<p class=\"%s\"><b>%s</b></p>", part.proved() ? "good" : "bad", part.headline());
    }
    if (part.broken()) {
      for (String reason : part.hazards().likely()) {
        page.raw("<p class=\"why\"><b>%s</b> %s</p>", VerdictSentences.reasonLabel(part), reason);
      }
    }
    page.raw("<p>%s · %s s</p>", part.about().subject(), part.plan().length().toSeconds());
    page.raw("<p class=\"quiet\">%s</p>\n", part.about().story());
  }

  private void figures() {
    page.raw("<div class=\"counts\">");
    for (RunFigure figure : part.figures()) {
      page.raw(
          "<div><b>%s</b>%s</div>",
          String.format(Locale.ROOT, "%,d", figure.number()), figure.what());
    }
    page.raw("</div>\n");
  }

  private void promises() {
    page.raw("<h3>Promises</h3><ul class=\"promises\">");
    part.promises()
        .forEach(
            (promise, broken) ->
                page.raw(
                    "<li class=\"%s\"><span>%s</span> %s%s</li>",
                    broken == 0 ? "good" : "bad",
                    broken == 0 ? "✓" : "✗",
                    promise,
                    broken == 0 ? "" : " (broken %d×)".formatted(broken)));
    page.raw("</ul>\n");
  }

  private void hazards() {
    page.raw("<h3>Hazards of this set-up</h3>");
    if (part.hazards().standing().isEmpty()) {
      page.raw("<p class=\"quiet\">None that is known.</p>");
      return;
    }
    page.raw("<ul>");
    part.hazards().standing().forEach(hazard -> page.raw("<li>%s</li>", hazard));
    page.raw("</ul>\n");
  }

  private void faults() {
    page.raw("<h3>Faults</h3>");
    if (part.faults().isEmpty()) {
      page.raw("<p class=\"quiet\">None happened.</p>");
    } else {
      page.raw("<p class=\"quiet\">");
      part.faults().stream()
          .map(StoreVerdict.Injected::fault)
          .distinct()
          .sorted()
          .forEach(
              fault ->
                  page.raw(
                      "<i class=\"key %s\"></i>%s: %s ",
                      fault.word(), fault.word(), fault.meaning()));
      page.raw("</p>");
      page.raw(new FaultChart(part).svg());
      list();
    }
    VerdictSentences.leftOut(part).forEach(left -> page.raw("<p class=\"quiet\">%s</p>", left));
  }

  private void list() {
    List<StoreVerdict.Injected> shown = part.faults().stream().limit(MAX_FAULTS).toList();
    page.raw("<details><summary>All %s faults</summary>", part.faults().size());
    page.raw("<table><tr><th>at<th>for<th>whom<th>what</tr>");
    for (StoreVerdict.Injected fault : shown) {
      page.raw(
          "<tr><td class=\"num\">%s s<td class=\"num\">%s s<td>%s<td><b>%s</b> %s</tr>",
          seconds(fault.at()),
          seconds(fault.length()),
          fault.worker() + (fault.way().isEmpty() ? "" : " → " + fault.way()),
          fault.fault().word(),
          fault.fault().meaning());
    }
    page.raw("</table>");
    rest(page, part.faults().size() - shown.size(), "more faults");
    page.raw("</details>\n");
  }

  public static void rest(HtmlText page, int count, String of) {
    if (count > 0) {
      page.raw("<p class=\"quiet\">… and %s %s.</p>", count, of);
    }
  }

  public static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.3f", duration.toNanos() / 1e9);
  }
}
