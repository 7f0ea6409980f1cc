package dev.semel.spring.internal;

import dev.semel.idempotency.EffectUnknown;
import dev.semel.servlet.AsyncInTransaction;
import dev.semel.servlet.IdempotencyFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.support.DefaultHandlerExceptionResolver;
import org.springframework.web.util.DisconnectedClientHelper;

/**
 * Passes three kinds of exceptions through Spring to the filter, because otherwise Spring's
 * rendering would be recorded as the answer.
 *
 * <p>{@link EffectUnknown}: with any rendered answer the key would be released or the answer
 * replayed. {@link AsyncInTransaction}: the transaction must roll back. A lost connection inside
 * the handler: Spring mistakes it for a client that disconnected, and answers with an empty 200.
 * The answers of guarded requests are buffered, so the client can't be the cause, and the filter
 * handles its disconnects.
 */
public final class GuardedErrors implements WebMvcConfigurer {
  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(new AsyncHandlers()).order(Ordered.HIGHEST_PRECEDENCE);
  }

  @Override
  public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
    int last = 0; // before Spring's own resolvers, and after the application's
    while (last < resolvers.size()
        && !(resolvers.get(last) instanceof DefaultHandlerExceptionResolver)) {
      last++;
    }
    resolvers.add(last, GuardedErrors::throwLostConnection);
    resolvers.addFirst(GuardedErrors::throwOwn);
  }

  private static @Nullable ModelAndView throwOwn(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception thrown) {
    if (IdempotencyFilter.execution(request).isPresent()) {
      for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
        if (cause instanceof EffectUnknown unknown) {
          throw unknown;
        }
        if (cause instanceof AsyncInTransaction refused) {
          throw refused;
        }
      }
    }
    return null;
  }

  private static @Nullable ModelAndView throwLostConnection(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception thrown) {
    if (IdempotencyFilter.execution(request).isPresent()
        && DisconnectedClientHelper.isClientDisconnectedException(thrown)) {
      throw new IllegalStateException("a connection ended under the handler", thrown);
    }
    return null;
  }
}
