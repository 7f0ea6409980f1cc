package dev.semel.proof.report;

import dev.semel.proof.ProofPart;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Verdicts as one self-contained page, without scripts, and without fonts or pictures from
 * elsewhere.
 */
public final class ProofReport {
  private final List<? extends ProofPart> parts;
  private final HtmlText page = new HtmlText();

  private ProofReport(List<? extends ProofPart> parts) {
    this.parts = parts;
  }

  /**
   * The page of a proof.
   *
   * @param parts at least one
   */
  public static String html(List<? extends ProofPart> parts) {
    return new ProofReport(parts).write();
  }

  private String write() {
    page.raw(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
            + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
            + "<title>Semel proof</title><style>\n"
            + ReportStyle.CSS
            + "</style></head><body><main>\n");
    headline();
    parts.forEach(part -> new PartSection(part, page, parts.size() > 1).write());
    return page.raw("</main></body></html>\n").toString();
  }

  private void headline() {
    ProofPart first = parts.get(0);
    boolean proved = parts.stream().allMatch(ProofPart::proved);
    page.raw("<p class=\"brand\">semel prove</p>");
    page.raw("<h1 class=\"%s\">%s</h1>", proved ? "good" : "bad", VerdictSentences.headline(parts));
    page.raw(
        "<p>%s · seed %s</p>\n",
        first.began().truncatedTo(ChronoUnit.SECONDS), first.plan().seed());
    if (parts.size() > 1) {
      page.raw("<ul class=\"promises\">");
      for (ProofPart part : parts) {
        page.raw(
            "<li class=\"%s\"><span>%s</span> <a href=\"#%s\">%s</a>: %s</li>",
            part.proved() ? "good" : "bad",
            part.proved() ? "✓" : "✗",
            part.about().part(),
            part.about().title(),
            part.headline());
      }
      page.raw("</ul>\n");
    }
  }
}
