package dev.semel.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** Runs two contenders in turns, and compares neighbouring rounds. */
public final class Rounds {
  private final Findings findings;
  private final int rounds;

  /**
   * @param rounds measured rounds, fewer in a quick run; one more of each comes first as a warm-up
   */
  public Rounds(Findings findings, int rounds) {
    this.findings = findings;
    this.rounds = findings.pace().rounds(rounds);
  }

  /** One round, measured in operations per second. */
  @FunctionalInterface
  public interface Contender {
    double rate() throws Exception;
  }

  /** Compares ours with a limit, which can't be beaten by much. */
  public void limit(String title, Contender ours, String other, Contender limit, double goal)
      throws Exception {
    findings.add(figure(title, ours, other, limit, goal));
  }

  /** Compares ours with a peer: another solution of the same problem. */
  public void peer(String title, Contender ours, String other, Contender peer, double goal)
      throws Exception {
    findings.add(figure(title, ours, other, peer, goal).withPeer());
  }

  private Figure figure(String title, Contender ours, String other, Contender them, double goal)
      throws Exception {
    them.rate();
    ours.rate();
    List<Double> others = new ArrayList<>();
    List<Double> own = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      // The order alternates, so that neither always profits from a warm or tired machine.
      boolean othersFirst = i % 2 == 0;
      double first = (othersFirst ? them : ours).rate();
      double second = (othersFirst ? ours : them).rate();
      others.add(othersFirst ? first : second);
      own.add(othersFirst ? second : first);
    }
    return new Figure(
        title, median(own), "/s", other, false, median(others), ratios(own, others), goal);
  }

  /** Compares neighbouring rounds, so that a slow minute of the machine affects both. */
  public static Figure.Spread ratios(List<Double> ours, List<Double> others) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < ours.size(); i++) {
      ratios.add(ours.get(i) / others.get(i));
    }
    List<Double> sorted = ratios.stream().sorted().toList();
    return new Figure.Spread(median(ratios), sorted.getFirst(), sorted.getLast());
  }

  public static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
