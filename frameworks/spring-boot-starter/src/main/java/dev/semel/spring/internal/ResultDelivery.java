package dev.semel.spring.internal;

import dev.semel.InvalidInput;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/** When a method's result is available: at its return, or later. */
public enum ResultDelivery {
  /** At the return. */
  RETURNED,
  /** When the stage completes. */
  STAGE,
  /** When the Mono, which runs nothing before it is subscribed to, completes. */
  MONO;

  private static final String MONO_TYPE = "reactor.core.publisher.Mono";

  /** Types whose completion is unknown, or which someone else runs later and unguarded. */
  private static final List<Class<?>> REFUSED =
      List.of(
          Future.class,
          Callable.class,
          Supplier.class,
          Runnable.class,
          Iterator.class,
          BaseStream.class);

  /** As {@link #REFUSED}, from Spring MVC, by name because it may be missing. */
  private static final List<String> REFUSED_OF_MVC =
      List.of(
          "org.springframework.web.context.request.async.DeferredResult",
          "org.springframework.web.context.request.async.WebAsyncTask",
          "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
          "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

  /**
   * Chooses by the method's declared return type.
   *
   * @throws InvalidInput methods of this type can't be guarded
   */
  static ResultDelivery of(Class<?> declared, String method) {
    if (CompletionStage.class.isAssignableFrom(declared)
        && declared.isAssignableFrom(CompletableFuture.class)) {
      return STAGE;
    }
    if (declared.getName().equals(MONO_TYPE)) {
      return MONO;
    }
    if (refused(declared)) {
      throw new InvalidInput(
          "@Idempotent on %s can't guard a result of the type %s, which comes, or runs, after the method returned: return the result itself, a CompletableFuture, or a Mono"
              .formatted(method, declared.getName()));
    }
    return RETURNED;
  }

  private static boolean refused(Class<?> declared) {
    return REFUSED.stream().anyMatch(each -> each.isAssignableFrom(declared))
        || REFUSED_OF_MVC.stream().anyMatch(each -> isA(declared, each))
        || (declared != Object.class
            && ReactiveAdapterRegistry.getSharedInstance().getAdapter(declared) != null);
  }

  private static boolean isA(Class<?> declared, String name) {
    ClassLoader loader = declared.getClassLoader();
    return ClassUtils.isPresent(name, loader)
        && ClassUtils.resolveClassName(name, loader).isAssignableFrom(declared);
  }

  /** The type of the stored result. */
  Type result(Type declared) {
    if (this == RETURNED) {
      return declared;
    }
    return declared instanceof ParameterizedType with
        ? with.getActualTypeArguments()[0]
        : Object.class;
  }
}
