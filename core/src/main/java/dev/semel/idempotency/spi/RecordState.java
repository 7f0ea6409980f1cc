package dev.semel.idempotency.spi;

/** The state of a record. Stores write the codes; they never change meaning. */
public enum RecordState {
  IN_FLIGHT('P'),
  COMPLETED('C'),
  FAILED('F'),
  /** Free to be claimed again; kept for the attempt counter. */
  RELEASED('R');

  private final char code;

  RecordState(char code) {
    this.code = code;
  }

  public char code() {
    return code;
  }

  public boolean ended() {
    return this == COMPLETED || this == FAILED;
  }

  public static RecordState of(char code) {
    return switch (code) {
      case 'P' -> IN_FLIGHT;
      case 'C' -> COMPLETED;
      case 'F' -> FAILED;
      case 'R' -> RELEASED;
      default -> throw new IllegalStateException("no state has the code " + (int) code);
    };
  }
}
