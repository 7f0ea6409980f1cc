package dev.semel.tck.proof;

/** The work gave up before it took effect, as it was drawn to do. */
final class WorkFailed extends Exception {
  private static final long serialVersionUID = 1;

  WorkFailed() {
    super("the work failed before its effect");
  }
}
