package dev.semel.spring.internal;

/** Thrown when the chosen store can't be used; says why and what to do. */
public final class UnusableStore extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String action;

  UnusableStore(String reason, String action, Throwable cause) {
    super(reason, cause);
    this.action = action;
  }

  public UnusableStore(String reason, String action) {
    super(reason);
    this.action = action;
  }

  String action() {
    return action;
  }
}
