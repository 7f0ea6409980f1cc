package dev.semel.http.spi;

import dev.semel.http.HttpHeader;
import dev.semel.idempotency.ExecutionRequest;
import java.util.List;

/**
 * A request that will be executed once.
 *
 * @param added headers for the answer: the key, and how long it is remembered
 */
public record GuardedRequest(ExecutionRequest<HttpResponse> request, List<HttpHeader> added) {
  public GuardedRequest {
    added = List.copyOf(added);
  }
}
