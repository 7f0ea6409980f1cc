package dev.semel.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Collects and prints a race's figures. For one thread at a time. */
public final class Findings {
  private final PrintStream out;
  private final Pace pace;
  private final List<Figure> figures = new ArrayList<>();

  Findings(PrintStream out, Pace pace) {
    this.out = out;
    this.pace = pace;
  }

  public Pace pace() {
    return pace;
  }

  public void add(Figure figure) {
    figures.add(figure);
    out.println(figure);
  }

  /** Prints additional information, which is not saved. */
  public void say(String format, Object... of) {
    out.printf(Locale.ROOT, "  " + format + "%n", of);
  }

  List<Figure> figures() {
    return List.copyOf(figures);
  }
}
