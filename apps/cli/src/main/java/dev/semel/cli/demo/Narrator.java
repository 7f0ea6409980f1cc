package dev.semel.cli.demo;

/** Where a story is told. */
public interface Narrator {
  /** A new step of the story: what happens in the world. */
  void step(String what);

  /** What came of it on either side; each is short enough for half a line. */
  void beside(String without, String with);

  /** Something to know beside the story. */
  void aside(String text);
}
