package dev.semel.proof.report;

import dev.semel.proof.ProofPart;
import dev.semel.proof.StoreVerdict;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Charts the faults over time, to scale, with a row for each process. */
final class FaultChart {
  private static final int WIDTH = 900;
  private static final int NAMES = 120;
  private static final int LANE = 22;
  private static final int BAR = 12;
  private static final int SCALE = 20;
  private static final int NARROWEST = 3;
  private static final int MARKS = 6;

  private final List<StoreVerdict.Injected> faults;
  private final List<String> lanes;
  private final Duration length;

  FaultChart(ProofPart part) {
    this.faults = part.faults();
    this.lanes = faults.stream().map(StoreVerdict.Injected::worker).distinct().sorted().toList();
    this.length =
        faults.stream()
            .map(fault -> fault.at().plus(fault.length()))
            .reduce(part.plan().length(), (a, b) -> a.compareTo(b) < 0 ? b : a);
  }

  String svg() {
    int height = LANE * lanes.size() + SCALE;
    HtmlText svg = new HtmlText();
    svg.raw(
        "<svg class=\"faults\" viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"When faults happened\">",
        WIDTH, height);
    for (int lane = 0; lane < lanes.size(); lane++) {
      int y = LANE * lane + LANE - 4;
      svg.raw("<line class=\"lane\" x1=\"0\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>", WIDTH, y, y);
      svg.raw("<text class=\"who\" x=\"0\" y=\"%s\">%s</text>", y - 4, lanes.get(lane));
    }
    faults.forEach(fault -> bar(svg, fault));
    for (int mark = 0; mark <= MARKS; mark++) {
      Duration at = length.multipliedBy(mark).dividedBy(MARKS);
      svg.raw(
          "<text class=\"who\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s s</text>",
          x(at), height - 4, mark == MARKS ? "end" : "start", seconds(at));
    }
    return svg.raw("</svg>").toString();
  }

  private void bar(HtmlText svg, StoreVerdict.Injected fault) {
    int left = x(fault.at());
    svg.raw(
        "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"2\"><title>%s</title></rect>",
        fault.fault().word(),
        left,
        LANE * lanes.indexOf(fault.worker()) + 3,
        Math.max(NARROWEST, x(fault.at().plus(fault.length())) - left),
        BAR,
        "%s s: %s%s"
            .formatted(
                seconds(fault.at()),
                fault.fault().word(),
                fault.way().isEmpty() ? "" : ", way to the " + fault.way()));
  }

  private int x(Duration at) {
    return NAMES + (int) (at.toMillis() * (WIDTH - NAMES) / Math.max(1, length.toMillis()));
  }

  private static String seconds(Duration at) {
    return String.format(Locale.ROOT, "%.1f", at.toMillis() / 1e3);
  }
}
