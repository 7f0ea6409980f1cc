package dev.semel.servlet;

import dev.semel.http.HttpHeader;
import dev.semel.http.HttpIdempotency;
import dev.semel.http.HttpRules;
import dev.semel.http.spi.GuardedRequest;
import dev.semel.http.spi.HttpAnswer;
import dev.semel.http.spi.HttpResponse;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.Execution;
import dev.semel.json.Json;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One guarded request and its answer: runs the handler, records, sends. For one thread. */
final class GuardedExchange {
  /** Thrown when a transaction must be repeated, because a filter chain can run only once. */
  private static final class Repeated extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Repeated() {
      super("met another transaction", null, false, false);
    }
  }

  private final HttpIdempotency idempotency;
  private final HttpRules rules;
  private final GuardedRequest guarded;
  private final String errorPage;
  private @Nullable BufferedResponse buffered;

  GuardedExchange(HttpIdempotency idempotency, GuardedRequest guarded, String errorPage) {
    this.idempotency = idempotency;
    this.rules = idempotency.rules();
    this.guarded = guarded;
    this.errorPage = errorPage;
  }

  void handle(RepeatableRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    EarlierResponse before = new EarlierResponse(response);
    HttpAnswer answer;
    try {
      answer = idempotency.execute(guarded, execution -> run(execution, request, response, chain));
    } catch (Repeated e) {
      answer = idempotency.tryAgain("the transaction met another and was rolled back");
    } catch (EffectUnknown e) {
      sendTimeout(request, response, e);
      return;
    } catch (IOException | ServletException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServletException(e); // a chain throws only the exceptions above
    }
    if (answer.kind() == HttpAnswer.Kind.EXECUTED) {
      sendOwn(answer, response);
      return;
    }
    if (buffered != null) {
      if (response.isCommitted()) {
        throw new ServletException(
            "the answer was on its way when it turned out that it is not valid: "
                + new String(answer.response().body(), StandardCharsets.UTF_8));
      }
      before.restore();
    }
    AnswerWriter.send(answer, response);
  }

  private HttpResponse run(
      Execution execution,
      RepeatableRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    if (buffered != null) {
      throw new Repeated();
    }
    BufferedResponse answer =
        new BufferedResponse(
            response,
            execution.policy().maxResponseBytes(),
            () -> AnswerWriter.put(beforeStream(response.getStatus()), response));
    buffered = answer;
    request.answerInto(answer, execution.inTransaction());
    request.setAttribute(IdempotencyFilter.EXECUTION, execution);
    try {
      chain.doFilter(request, answer);
      AsyncWait waiting = request.waiting();
      if (waiting != null) {
        waiting.await();
      }
    } catch (IOException | ServletException | RuntimeException e) {
      if (answer.output().clientGone()) {
        throw new EffectUnknown("the client left in the middle of a stream", e);
      }
      throwIfUnknown(e);
      throw e;
    } finally {
      request.removeAttribute(IdempotencyFilter.EXECUTION);
    }
    return answered(request, answer);
  }

  /** Unwraps the exception, because frameworks such as Spring wrap what a handler throws. */
  private static void throwIfUnknown(Exception thrown) {
    Throwable cause = thrown;
    while (cause != null && !(cause instanceof EffectUnknown)) {
      cause = cause.getCause();
    }
    if (cause != null) {
      throw (EffectUnknown) cause;
    }
  }

  /** The headers for a stream; a status that is not kept gets no promise of a replay. */
  private List<HttpHeader> beforeStream(int status) {
    return rules.kept().keeps(status) ? guarded.added() : guarded.added().subList(0, 1);
  }

  private HttpResponse answered(RepeatableRequest request, BufferedResponse answer)
      throws IOException, ServletException {
    BufferedResponse.Failed failed = answer.failed().orElse(null);
    if (failed != null && rules.kept().keeps(failed.status())) {
      renderError(failed, request, answer);
    }
    byte[] body = answer.body();
    answer.output().end(); // later writes by a thread of the handler are ignored
    AsyncWait waiting = request.waiting();
    if (waiting != null && waiting.timedOut() && !rules.kept().keeps(answer.getStatus())) {
      throw new EffectUnknown(
          "the asynchronous handler timed out and may still be at work",
          new IOException("answered " + answer.getStatus()));
    }
    return answer.output().streaming()
        ? HttpResponse.notKept(answer.getStatus())
        : new HttpResponse(answer.getStatus(), kept(answer), body);
  }

  /** Sends the handler's answer, whose status and headers are in the response already. */
  private void sendOwn(HttpAnswer answer, HttpServletResponse response) throws IOException {
    if (!answer.response().whole()) {
      if (buffered != null) {
        buffered.flushBuffer();
      }
      return;
    }
    AnswerWriter.put(answer.added(), response);
    BufferedResponse.Failed failed = buffered == null ? null : buffered.failed().orElse(null);
    if (failed != null && !rules.kept().keeps(failed.status())) {
      response.sendError(failed.status(), failed.message());
    } else {
      AnswerWriter.body(answer.response(), response);
    }
  }

  /** Sends the answer of a timeout listener, whose handler may still be running. */
  private void sendTimeout(
      RepeatableRequest request, HttpServletResponse response, EffectUnknown unknown)
      throws IOException {
    AsyncWait waiting = request.waiting();
    BufferedResponse answer = buffered;
    if (waiting == null || !waiting.timedOut() || waiting.pending() || answer == null) {
      throw unknown;
    }
    sendOwn(
        new HttpAnswer(
            HttpAnswer.Kind.EXECUTED,
            new HttpResponse(answer.getStatus(), List.of(), answer.body()),
            guarded.added()),
        response);
  }

  private void renderError(
      BufferedResponse.Failed failed, RepeatableRequest request, BufferedResponse answer)
      throws IOException, ServletException {
    answer.reopenFor(failed);
    if (errorPage.isEmpty()) {
      answer.setContentType("application/problem+json");
      answer
          .output()
          .write(
              Json.object()
                  .with("type", "about:blank")
                  .with("status", failed.status())
                  .with("detail", failed.message())
                  .write()
                  .getBytes(StandardCharsets.UTF_8));
      return;
    }
    request.setAttribute(RequestDispatcher.ERROR_STATUS_CODE, failed.status());
    request.setAttribute(RequestDispatcher.ERROR_MESSAGE, failed.message());
    request.setAttribute(RequestDispatcher.ERROR_REQUEST_URI, request.getRequestURI());
    request.getRequestDispatcher(errorPage).forward(request, answer);
  }

  private List<HttpHeader> kept(BufferedResponse answer) {
    List<HttpHeader> headers = new ArrayList<>();
    for (String name : rules.replayedHeaders()) {
      if (name.equalsIgnoreCase("Content-Type")) { // some containers don't list it as a header
        String type = answer.getContentType();
        if (type != null) {
          headers.add(new HttpHeader(name, type));
        }
      } else {
        answer.getHeaders(name).forEach(value -> headers.add(new HttpHeader(name, value)));
      }
    }
    return headers;
  }
}
