package dev.semel.spring.internal;

import dev.semel.InvalidInput;
import dev.semel.idempotency.Execution;
import dev.semel.servlet.AsyncInTransaction;
import dev.semel.servlet.IdempotencyFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * Detects Spring MVC handler methods that answer from another thread, outside the transaction of
 * same-transaction mode. A return type that is clear fails the start; otherwise the check comes
 * before the call, because afterwards the work may already be running.
 */
public final class AsyncHandlers implements HandlerInterceptor {
  private static final List<Class<?>> ASYNCHRONOUS =
      List.of(
          Callable.class,
          DeferredResult.class,
          WebAsyncTask.class,
          ResponseBodyEmitter.class,
          StreamingResponseBody.class);

  private static boolean mayAnswerElsewhere(HandlerMethod handler) {
    return mayAnswerElsewhere(handler.getBeanType(), handler.getMethod());
  }

  /** Whether the method may return an asynchronous type; {@code Object} may be any. */
  static boolean mayAnswerElsewhere(Class<?> bean, Method method) {
    if (KotlinDetector.isSuspendingFunction(method)) {
      return true;
    }
    ResolvableType type = ResolvableType.forMethodReturnType(method, bean);
    Class<?> declared = type.resolve(Object.class);
    if (HttpEntity.class.isAssignableFrom(declared)) {
      return asynchronous(type.as(HttpEntity.class).getGeneric(0).resolve(Void.class));
    }
    return declared == Object.class || asynchronous(declared);
  }

  private static boolean asynchronous(Class<?> type) {
    return ASYNCHRONOUS.stream().anyMatch(each -> each.isAssignableFrom(type))
        || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
  }

  /**
   * Checks all handlers that would be guarded.
   *
   * @param prefix the path of the dispatcher servlet
   * @throws InvalidInput some may answer from another thread
   */
  public static void requireNone(
      Map<RequestMappingInfo, HandlerMethod> handlers, IdempotencyFilter filter, String prefix) {
    List<String> refused =
        handlers.entrySet().stream()
            .filter(each -> mayAnswerElsewhere(each.getValue()))
            .filter(each -> guarded(each.getKey(), filter, prefix))
            .map(each -> name(each.getValue()))
            .distinct()
            .sorted()
            .toList();
    if (!refused.isEmpty()) {
      throw new InvalidInput(
          "semel.http.same-transaction can't guard %s: by the return type the answer comes, or may come, from another thread, whose writes are not in the transaction and would be there twice after a crash. Return the answer itself, leave the method out of semel.http.paths, or drop semel.http.same-transaction to guard it under a lease"
              .formatted(String.join(", ", refused)));
    }
  }

  private static boolean guarded(
      RequestMappingInfo mapping, IdempotencyFilter filter, String prefix) {
    Set<RequestMethod> mapped = mapping.getMethodsCondition().getMethods();
    Set<RequestMethod> methods = mapped.isEmpty() ? EnumSet.allOf(RequestMethod.class) : mapped;
    return mapping.getPatternValues().stream()
        .map(pattern -> prefix + sample(pattern))
        .anyMatch(path -> methods.stream().anyMatch(each -> filter.guards(each.name(), path)));
  }

  /** One path that the pattern matches. The pattern's other paths may be guarded or not. */
  private static String sample(String pattern) {
    StringBuilder path = new StringBuilder(pattern.startsWith("/") ? "" : "/");
    int depth = 0;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      depth += c == '{' ? 1 : 0;
      if (depth == 0) {
        path.append(c == '*' || c == '?' ? 'x' : c);
      }
      if (c == '}' && --depth == 0) {
        path.append('x');
      }
    }
    return path.toString();
  }

  private static String name(HandlerMethod handler) {
    return handler.getBeanType().getSimpleName() + "." + handler.getMethod().getName();
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (handler instanceof HandlerMethod method
        && IdempotencyFilter.execution(request).filter(Execution::inTransaction).isPresent()
        && mayAnswerElsewhere(method)) {
      throw new AsyncInTransaction(name(method));
    }
    return true;
  }
}
