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
 * What Spring makes of a handler's exception becomes the recorded answer, so three kinds must reach
 * the filter as they are.
 *
 * <p>{@link EffectUnknown}: rendered as any answer at all, its key would be given back or the
 * answer replayed. {@link AsyncInTransaction}: the transaction must be rolled back. And a
 * connection of the handler's own that ended: Spring takes that for a client that left, and says so
 * with an empty 200. The answers of guarded requests are buffered, so it is not the client; the
 * filter knows where it is.
 */
public final class GuardedErrors implements WebMvcConfigurer {
  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(new AsyncHandlers()).order(Ordered.HIGHEST_PRECEDENCE);
  }

  @Override
  public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
    int last = 0; // before Spring's own rules, and behind the application's
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
