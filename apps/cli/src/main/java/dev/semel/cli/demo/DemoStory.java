package dev.semel.cli.demo;

import dev.semel.cli.Console;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Prints a demo in two columns that fit into 80, and keeps it for JSON output. */
final class DemoStory implements Narrator {
  private static final int COLUMN = 35;
  private static final String INDENT = "   ";
  private static final Duration PAUSE = Duration.ofMillis(700);

  private final Console console;
  private final PrintStream out;
  private final boolean paced;
  private final List<JsonValue> told = new ArrayList<>();
  private String current = "";
  private int steps;

  /**
   * @param machine whether standard output is for a program: the story then goes to standard error
   */
  DemoStory(Console console, boolean machine, boolean fast) {
    this.console = console;
    this.out = machine ? console.streams().err() : console.streams().out();
    this.paced = console.streams().outIsTerminal() && !machine && !fast;
  }

  void list(String heading, List<String> lines) {
    out.println(heading);
    lines.forEach(line -> out.println(INDENT + line));
    out.println();
  }

  void title(String name, String title) {
    out.println(console.bold(name + ": " + title));
    out.println();
  }

  @Override
  public void aside(String text) {
    out.println(INDENT + console.dim(text));
    out.flush();
  }

  @Override
  public void step(String what) {
    out.println();
    if (steps == 0) {
      columns(console.bold(pad("without Semel")), console.bold("with Semel"));
    }
    pause();
    steps++;
    current = what;
    out.println(steps + ". " + what);
    out.flush();
  }

  @Override
  public void beside(String without, String with) {
    pause();
    told.add(
        Json.object().with("step", current).with("without", without).with("with", with).build());
    columns(pad(without), with);
  }

  void end(String heading, String without, String with) {
    pause();
    out.println();
    out.println(heading);
    columns(console.red(pad(without)), console.green(with));
    out.println();
  }

  List<JsonValue> told() {
    return told;
  }

  private void columns(String left, String right) {
    out.println((INDENT + left + "  " + right).stripTrailing());
    out.flush();
  }

  private static String pad(String text) {
    return text + " ".repeat(Math.max(0, COLUMN - text.codePointCount(0, text.length())));
  }

  /** Gives readers time; nothing depends on it. */
  private void pause() {
    if (paced) {
      try {
        boolean unused = new CountDownLatch(1).await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
