package dev.semel.idempotency.spi;

import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.StoredFailure;
import org.jspecify.annotations.Nullable;

/** How an execution ended for good, in the one form that stores keep. */
public record ExecutionEnd(RecordState state, Payload payload) {
  public ExecutionEnd {
    if (!state.ended()) {
      throw new IllegalArgumentException(state + " is not an end");
    }
  }

  /**
   * How work ended that gave this result. Its effect has happened: a response that can't be kept,
   * because it is too large or its codec failed, must not make anyone repeat it.
   */
  public static <T> ExecutionEnd of(ExecutionRequest<T> request, T result) {
    int limit = request.policy().maxResponseBytes();
    try {
      Payload response = request.codec().payload(result);
      return response.bytes().length <= limit
          ? completed(response)
          : failed(StoredFailure.responseTooLarge(response.bytes().length, limit));
    } catch (RuntimeException e) {
      return failed(
          result == null
              ? StoredFailure.nullNotKept(request.codec().type())
              : StoredFailure.responseNotEncoded(e));
    }
  }

  /**
   * Refuses a null that could not be kept: whoever wrote the work learns of it at its first run.
   *
   * @param what has become of its effect
   * @throws IllegalStateException the work returned null, and this is how that is recorded
   */
  public <T> void refuseNull(ExecutionRequest<T> request, @Nullable T result, String what) {
    StoredFailure refused = StoredFailure.nullNotKept(request.codec().type());
    if (result == null && state == RecordState.FAILED && payload.equals(refused.payload())) {
      throw new IllegalStateException(refused.message() + "; " + what);
    }
  }

  public static ExecutionEnd completed(Payload response) {
    return new ExecutionEnd(RecordState.COMPLETED, response);
  }

  public static ExecutionEnd failed(StoredFailure failure) {
    return new ExecutionEnd(RecordState.FAILED, failure.payload());
  }
}
