package dev.semel.idempotency;

/** How an execution ended for good, in the one form that stores keep. */
public record Ending(State state, Payload payload) {
  public Ending {
    if (!state.ended()) {
      throw new IllegalArgumentException(state + " is not an end");
    }
  }

  public static Ending completed(Payload response) {
    return new Ending(State.COMPLETED, response);
  }

  public static Ending failed(Failure failure) {
    return new Ending(State.FAILED, failure.payload());
  }
}
