package dev.semel.idempotency.spi;

import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.StoredFailure;
import dev.semel.idempotency.internal.FailurePayload;
import org.jspecify.annotations.Nullable;

/** How an execution ended for good, in the form that stores keep. */
public record ExecutionEnd(RecordState state, Payload payload) {
  public ExecutionEnd {
    if (!state.ended()) {
      throw new IllegalArgumentException(state + " is not an end");
    }
  }

  /**
   * The end of work with this result. Its effect has happened: if the response can't be kept,
   * because it is too large or its codec failed, the record must still prevent a repetition.
   */
  public static <T> ExecutionEnd of(ExecutionRequest<T> request, T result) {
    int limit = request.policy().maxResponseBytes();
    try {
      Payload response = request.codec().payload(result);
      return response.bytes().length <= limit
          ? completed(response)
          : failed(tooLarge(response.bytes().length, limit));
    } catch (RuntimeException e) {
      return failed(result == null ? nullNotKept(request.codec().type()) : notEncoded(e));
    }
  }

  /**
   * Throws for a null that could not be kept, so that the work's author notices at the first run.
   *
   * @param what what happened to the work's effect
   * @throws IllegalStateException the work returned null, and this is how that is recorded
   */
  public <T> void refuseNull(ExecutionRequest<T> request, @Nullable T result, String what) {
    StoredFailure refused = nullNotKept(request.codec().type());
    if (result == null
        && state == RecordState.FAILED
        && payload.equals(FailurePayload.of(refused))) {
      throw new IllegalStateException(refused.message() + "; " + what);
    }
  }

  public static ExecutionEnd completed(Payload response) {
    return new ExecutionEnd(RecordState.COMPLETED, response);
  }

  public static ExecutionEnd failed(StoredFailure failure) {
    return new ExecutionEnd(RecordState.FAILED, FailurePayload.of(failure));
  }

  private static StoredFailure tooLarge(int bytes, int limit) {
    return notKept(
        "it was done once, but its response of %d bytes is over the limit of %d (maxResponseBytes) and was not kept"
            .formatted(bytes, limit));
  }

  private static StoredFailure notEncoded(RuntimeException cause) {
    return notKept("it was done once, but its response could not be encoded: " + cause);
  }

  private static StoredFailure nullNotKept(String type) {
    return notKept(
        "the work returned null, which its codec%s can't hold, so there is no response to replay: return a value, or use Codec.nothing() for work without a result"
            .formatted(type.isEmpty() ? "" : " (" + type + ")"));
  }

  private static StoredFailure notKept(String why) {
    return new StoredFailure(StoredFailure.RESPONSE_NOT_KEPT, why);
  }
}
