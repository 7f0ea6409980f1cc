package dev.semel.cli.demo;

/** Shows a story. */
public interface Narrator {
  /** A new step of the story. */
  void step(String what);

  /** The result on either side; each fits into half a line. */
  void beside(String without, String with);

  /** A note beside the story. */
  void aside(String text);
}
