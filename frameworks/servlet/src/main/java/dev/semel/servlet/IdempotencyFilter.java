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
 * Makes requests with an {@code Idempotency-Key} happen once, and answers their repetitions with
 * the first answer, byte for byte.
 *
 * <p>The handler's answer is buffered, recorded, and then sent: a client that left in the meantime
 * finds it when it asks again. An answer over the limit, or one that is a stream, goes through as
 * it comes and is recorded as done but not replayable. What a handler throws is thrown on, and its
 * key is given back. A handler that goes asynchronous keeps the container's thread waiting until it
 * completes. A crash leaves behind what {@link dev.semel.idempotency.GuardedExecutor} says.
 *
 * <p>It must stand behind authentication, because keys belong to the caller, and before any filter
 * that reads the body. Safe for use by many threads.
 */
public final class IdempotencyFilter implements Filter {
  /** The request attribute under which a guarded handler finds its {@link Execution}. */
  public static final String EXECUTION = "dev.semel.execution";

  private static final String GUARDED = "dev.semel.guarded";

  private final List<GuardedRoute> routes;
  private final Function<HttpServletRequest, Tenant> tenant;
  private final String errorPage;

  /** Guards every request that reaches it. */
  public IdempotencyFilter(HttpIdempotency idempotency) {
    this(List.of(new GuardedRoute("/*", idempotency)));
  }

  /** The first route that matches decides; what matches none is passed on. */
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
   * Whose requests they are; without it, the authenticated principal's, see {@link CallerTenants}.
   */
  public IdempotencyFilter withTenant(Function<HttpServletRequest, Tenant> tenant) {
    return new IdempotencyFilter(routes, tenant, errorPage);
  }

  /**
   * Where answers by {@code sendError} that are kept are written; without it, they are problem
   * documents. The container's own error pages are made after the filters are done, too late to be
   * kept.
   *
   * @param path of a servlet in the application, which finds the usual attributes
   */
  public IdempotencyFilter withErrorPage(String path) {
    return new IdempotencyFilter(routes, tenant, path);
  }

  /**
   * Whether requests with this method to this path are guarded, where they have a key.
   *
   * @param path within the application, decoded
   */
  public boolean guards(String method, String path) {
    return route(path).filter(found -> found.rules().methods().contains(method)).isPresent();
  }

  /** The running execution, for handlers; empty where the request is not guarded. */
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
