package dev.semel.idempotency;

import org.jspecify.annotations.Nullable;

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
      return failed(
          result == null
              ? Failure.nullNotKept(request.codec().type())
              : Failure.responseNotEncoded(e));
    }
  }

  /**
   * Refuses a null that could not be kept: whoever wrote the work learns of it at its first run.
   *
   * @param what has become of its effect
   * @throws IllegalStateException the work returned null, and this is how that is recorded
   */
  public <T> void refuseNull(Request<T> request, @Nullable T result, String what) {
    Failure refused = Failure.nullNotKept(request.codec().type());
    if (result == null && state == State.FAILED && payload.equals(refused.payload())) {
      throw new IllegalStateException(refused.message() + "; " + what);
    }
  }

  public static Ending completed(Payload response) {
    return new Ending(State.COMPLETED, response);
  }

  public static Ending failed(Failure failure) {
    return new Ending(State.FAILED, failure.payload());
  }
}
