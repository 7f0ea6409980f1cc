package dev.semel.proof.report;

import dev.semel.proof.history.RecordedAnswer;
import dev.semel.proof.history.RecordedCall;
import dev.semel.proof.history.RecordedEffect;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A counterexample as a picture: a row for each client, its calls as bars with the numbers in the
 * table below, effects as dots. Moments are evenly spaced in order instead of to scale, because
 * most calls take a millisecond and some wait for seconds.
 */
public final class CallTimeline {
  private static final int WIDTH = 900;
  private static final int NAMES = 120;
  private static final int LANE = 44;
  private static final int BAR = 12;
  private static final int DOT = 5;

  private final List<RecordedCall> calls;
  private final List<RecordedEffect> effects;
  private final List<String> clients;
  private final List<Long> moments;

  public CallTimeline(Counterexample example, int maxCalls) {
    this.calls = example.calls().stream().limit(maxCalls).toList();
    this.effects = example.effects();
    this.clients =
        Stream.concat(
                calls.stream().map(RecordedCall::client),
                effects.stream().map(RecordedEffect::client))
            .distinct()
            .sorted()
            .toList();
    TreeSet<Long> all = new TreeSet<>();
    calls.forEach(
        call -> {
          all.add(call.beganNanos());
          all.add(call.endedNanos());
        });
    effects.forEach(effect -> all.add(effect.atNanos()));
    this.moments = new ArrayList<>(all);
  }

  public String svg() {
    int height = LANE * clients.size() + 6;
    HtmlText svg = new HtmlText();
    svg.raw(
        "<svg viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"Time line of the calls\">",
        WIDTH, height);
    for (int lane = 0; lane < clients.size(); lane++) {
      int y = LANE * lane + LANE - 8;
      svg.raw("<line class=\"lane\" x1=\"0\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>", WIDTH, y, y);
      svg.raw("<text class=\"who\" x=\"0\" y=\"%s\">%s</text>", y - 10, clients.get(lane));
    }
    for (int number = 0; number < calls.size(); number++) {
      call(svg, calls.get(number), number + 1);
    }
    effects.forEach(effect -> effect(svg, effect));
    return svg.raw("</svg>").toString();
  }

  private void call(HtmlText svg, RecordedCall call, int number) {
    boolean whole = HistoryTally.isExecution(call);
    int left = x(call.beganNanos());
    int width = Math.max(4, x(call.endedNanos()) - left);
    int y = LANE * clients.indexOf(call.client()) + (whole ? 4 : 20);
    svg.raw(
        "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"3\"><title>%s</title></rect>",
        look(call.answer()),
        left,
        y,
        width,
        BAR,
        CallPhrases.asked(call) + " → " + CallPhrases.answered(call));
    svg.raw("<text class=\"no\" x=\"%s\" y=\"%s\">%s</text>", left + 2, y + 10, number);
  }

  private void effect(HtmlText svg, RecordedEffect effect) {
    svg.raw(
        "<circle class=\"effect\" cx=\"%s\" cy=\"%s\" r=\"%s\"><title>effect %s</title></circle>",
        x(effect.atNanos()),
        LANE * clients.indexOf(effect.client()) + LANE - 8,
        DOT,
        effect.value());
  }

  private int x(long nanos) {
    int room = WIDTH - NAMES - 2 * DOT;
    int steps = Math.max(1, moments.size() - 1);
    return NAMES + moments.indexOf(nanos) * room / steps;
  }

  /** The answer's class in the style sheet. */
  public static String look(RecordedAnswer answer) {
    return switch (answer.kind()) {
      case GRANTED, TAKEN_OVER, EXECUTED, YES -> "did";
      case REPLAY, FAILED -> "again";
      case IN_FLIGHT, IN_DOUBT, MISMATCH, NO -> "refused";
      case UNRECORDED, THREW, UNKNOWN -> "lost";
    };
  }
}
