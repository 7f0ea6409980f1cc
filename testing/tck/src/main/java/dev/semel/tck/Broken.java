package dev.semel.tck;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.Callable;

/** A component with a bug: its calls throw. Only closing it works. */
public final class Broken {
  private Broken() {}

  /** Answers no call. */
  public static <T> T of(Class<T> type) {
    return of(type, Map.of());
  }

  /**
   * Answers only these calls.
   *
   * @param answers by the method's name; what is answered counts only where something is returned
   */
  @SuppressWarnings("ReferenceEquality") // each is itself and no other
  public static <T> T of(Class<T> type, Map<String, Callable<?>> answers) {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "toString" -> "broken";
              case "hashCode" -> System.identityHashCode(proxy);
              case "equals" -> proxy == arguments[0];
              case "close" -> null;
              default -> {
                Callable<?> answer = answers.get(method.getName());
                if (answer == null) {
                  throw new IllegalStateException("a bug in " + method.getName());
                }
                Object answered = answer.call();
                yield method.getReturnType() == void.class ? null : answered;
              }
            };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
