package dev.semel.servlet;

import dev.semel.Tenant;
import dev.semel.http.HttpIdempotency;
import dev.semel.http.spi.BodyDecision;
import dev.semel.http.spi.CallerTenants;
import dev.semel.http.spi.HeadDecision;
import dev.semel.http.spi.HttpRequest;
import dev.semel.idempotency.Execution;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * A servlet filter that runs requests with an {@code Idempotency-Key} once, and replays the first
 * answer to duplicates, byte for byte.
 *
 * <p>The filter buffers the handler's answer, records it, and then sends it: a client that
 * disconnected gets it when it asks again. A stream, or an answer over the limit, is sent as it is
 * written, and recorded as done but not replayable. A handler's exception is rethrown, and its key
 * released. An asynchronous handler keeps the container's thread waiting until it completes. For
 * crashes see {@link dev.semel.idempotency.GuardedExecutor}.
 *
 * <p>Place it after authentication, because keys belong to the caller, and before any filter that
 * reads the body. Safe for many threads.
 */
public final class IdempotencyFilter implements Filter {
  /** The request attribute with the guarded handler's {@link Execution}. */
  public static final String EXECUTION = "dev.semel.execution";

  private static final String GUARDED = "dev.semel.guarded";

  private final List<GuardedRoute> routes;
  private final Function<HttpServletRequest, Tenant> tenant;
  private final String errorPage;

  /** Guards every request that reaches it. */
  public IdempotencyFilter(HttpIdempotency idempotency) {
    this(List.of(new GuardedRoute("/*", idempotency)));
  }

  /** The first matching route decides; other requests pass unguarded. */
  public IdempotencyFilter(List<GuardedRoute> routes) {
    this(routes, IdempotencyFilter::principal, "");
  }

  private IdempotencyFilter(
      List<GuardedRoute> routes, Function<HttpServletRequest, Tenant> tenant, String errorPage) {
    this.routes = List.copyOf(routes);
    this.tenant = tenant;
    this.errorPage = errorPage;
  }

  /**
   * Chooses the tenant of a request; the default is the authenticated principal, see {@link
   * CallerTenants}.
   */
  public IdempotencyFilter withTenant(Function<HttpServletRequest, Tenant> tenant) {
    return new IdempotencyFilter(routes, tenant, errorPage);
  }

  /**
   * Chooses the page that renders recorded {@code sendError} answers; the default is a problem
   * document. The container renders its own error pages after the filters, too late for the record.
   *
   * @param path path of a servlet in the application, which gets the usual error attributes
   */
  public IdempotencyFilter withErrorPage(String path) {
    return new IdempotencyFilter(routes, tenant, path);
  }

  /**
   * Whether requests with this method, this path and a key are guarded.
   *
   * @param path path within the application, decoded
   */
  public boolean guards(String method, String path) {
    return route(path).filter(found -> found.rules().methods().contains(method)).isPresent();
  }

  /** The handler's execution; empty: the request is not guarded. */
  public static Optional<Execution> execution(ServletRequest request) {
    return Optional.ofNullable((Execution) request.getAttribute(EXECUTION));
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse answer
        && http.getDispatcherType() == DispatcherType.REQUEST
        && http.getAttribute(GUARDED) == null) {
      guard(http, answer, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  private void guard(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<HttpIdempotency> idempotency = route(request);
    if (idempotency.isEmpty()) {
      chain.doFilter(request, response);
      return;
    }
    switch (idempotency.get().look(head(request))) {
      case HeadDecision.Pass pass -> chain.doFilter(request, response);
      case HeadDecision.Refused refused -> {
        RequestBody.drop(request, response);
        AnswerWriter.send(refused.answer(), response);
      }
      case HeadDecision.NeedsBody needed -> {
        request.setAttribute(GUARDED, true);
        read(idempotency.get(), needed, request, response, chain);
      }
    }
  }

  private void read(
      HttpIdempotency idempotency,
      HeadDecision.NeedsBody needed,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    Optional<byte[]> body;
    try {
      body = RequestBody.read(request, needed.maxBytes());
    } catch (IOException e) {
      RequestBody.refuse(e, response);
      return;
    }
    if (body.isEmpty()) {
      RequestBody.drop(request, response);
      AnswerWriter.send(idempotency.tooLarge(), response);
      return;
    }
    RepeatableRequest repeatable = new RepeatableRequest(request, response, body.get());
    switch (idempotency.read(needed, body.get())) {
      case BodyDecision.Pass pass -> chain.doFilter(repeatable, response);
      case BodyDecision.Refused refused -> AnswerWriter.send(refused.answer(), response);
      case BodyDecision.Ready ready ->
          new GuardedExchange(idempotency, ready.guarded(), errorPage)
              .handle(repeatable, response, chain);
    }
  }

  private Optional<HttpIdempotency> route(HttpServletRequest request) {
    String below = request.getPathInfo();
    return route(request.getServletPath() + (below == null ? "" : below));
  }

  private Optional<HttpIdempotency> route(String path) {
    return routes.stream().filter(r -> r.matches(path)).map(GuardedRoute::idempotency).findFirst();
  }

  private HttpRequest head(HttpServletRequest request) {
    return new HttpRequest(
        tenant.apply(request),
        request.getMethod(),
        request.getRequestURI(),
        Objects.requireNonNullElse(request.getQueryString(), ""),
        name -> Collections.list(request.getHeaders(name)));
  }

  private static Tenant principal(HttpServletRequest request) {
    Principal principal = request.getUserPrincipal();
    return CallerTenants.of(
        principal == null ? "" : Objects.requireNonNullElse(principal.getName(), ""));
  }
}
