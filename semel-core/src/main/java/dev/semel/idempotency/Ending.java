package dev.semel.idempotency;

/** How an execution ended for good, in the one form that stores keep. */
public record Ending(State state, Payload payload) {
  public Ending {
    if (!state.ended()) {
      throw new IllegalArgumentException(state + " is not an end");
    }
  }

  /**
   * How work ended that gave this result. Its effect has happened: a response that can't be kept,
   * because it is too large or its codec failed, must not make anyone repeat it.
   */
  public static <T> Ending of(Request<T> request, T result) {
    int limit = request.policy().maxResponseBytes();
    try {
      Payload response = request.codec().payload(result);
      return response.bytes().length <= limit
          ? completed(response)
          : failed(Failure.responseTooLarge(response.bytes().length, limit));
    } catch (RuntimeException e) {
      return failed(Failure.responseNotEncoded(e));
    }
  }

  public static Ending completed(Payload response) {
    return new Ending(State.COMPLETED, response);
  }

  public static Ending failed(Failure failure) {
    return new Ending(State.FAILED, failure.payload());
  }
}
