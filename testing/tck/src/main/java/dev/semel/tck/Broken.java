package dev.semel.tck;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.Callable;

/** Creates components with a bug: their calls throw. Only closing them works. */
public final class Broken {
  private Broken() {}

  /** A component whose calls all throw. */
  public static <T> T of(Class<T> type) {
    return of(type, Map.of());
  }

  /**
   * A component that answers only these calls.
   *
   * @param answers the answers by method name; ignored for void methods
   */
  @SuppressWarnings("ReferenceEquality") // compares identity
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
