package dev.semel.http.internal;

import dev.semel.http.HttpHeader;
import dev.semel.http.HttpRules;
import dev.semel.http.spi.HttpResponse;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.Work;
import dev.semel.idempotency.internal.NeverFinal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs one request's handler, and keeps what happened. The stored response has only the parts that
 * may be replayed to others, whatever the handler answered. For one thread.
 */
public final class RequestHandling<X extends Exception> implements Work<HttpResponse, X> {
  private final Work<HttpResponse, X> handler;
  private final HttpRules rules;
  private boolean began;
  private @Nullable HttpResponse response;
  private @Nullable Throwable thrown;

  public RequestHandling(Work<HttpResponse, X> handler, HttpRules rules) {
    this.handler = handler;
    this.rules = rules;
  }

  /** Thrown to say that the handler's answer is not kept. */
  public static final class NotKept extends RuntimeException implements NeverFinal {
    private static final long serialVersionUID = 1L;

    NotKept(int status) {
      super("answered " + status, null, false, false);
    }
  }

  @Override
  public HttpResponse run(Execution execution) throws X {
    began = true;
    response = null;
    HttpResponse answered;
    try {
      answered = handler.run(execution);
    } catch (Throwable e) {
      thrown = e;
      throw e;
    }
    response = answered;
    if (!rules.kept().keeps(answered.status())) {
      throw new NotKept(answered.status());
    }
    List<HttpHeader> repeated =
        answered.headers().stream()
            .filter(header -> rules.replayedHeaders().contains(header.name()))
            .toList();
    return new HttpResponse(answered.status(), repeated, answered.body(), answered.whole());
  }

  public boolean began() {
    return began;
  }

  /** Whether the handler threw this exception, and not the code around it. */
  public boolean threw(Throwable e) {
    return e.equals(thrown);
  }

  /** Empty if the handler did not run, or threw. */
  public Optional<HttpResponse> response() {
    return Optional.ofNullable(response);
  }
}
