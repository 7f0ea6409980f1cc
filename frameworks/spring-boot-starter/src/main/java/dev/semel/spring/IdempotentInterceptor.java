package dev.semel.spring;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Outcome;
import dev.semel.spring.ResultCodecs.Result;
import dev.semel.spring.internal.ExecutionChoice;
import dev.semel.spring.internal.IdempotentMethod;
import dev.semel.spring.internal.LaterMonos;
import dev.semel.spring.internal.LaterResults;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Executes calls of {@link Idempotent} methods. */
final class IdempotentInterceptor implements MethodInterceptor {
  private record Called(Class<?> type, Method method) {}

  private final Supplier<ExecutionChoice> executions;
  private final Supplier<IdempotentMethod.Defaults> defaults;

  /** One entry per annotated method. */
  private final Map<Called, IdempotentMethod> methods = new ConcurrentHashMap<>();

  /** The methods whose operation has its default name. */
  private final Map<Operation, Method> byDefault = new ConcurrentHashMap<>();

  /**
   * Resolves both when the first annotated method appears, so that no bean is created too early.
   */
  IdempotentInterceptor(
      Supplier<ExecutionChoice> executions, Supplier<IdempotentMethod.Defaults> defaults) {
    this.executions = executions;
    this.defaults = defaults;
  }

  /**
   * Reads a method's annotation before the first call.
   *
   * @throws dev.semel.InvalidInput the annotation is invalid
   */
  void prepare(Class<?> type, Method method) {
    executions.get().require(of(type, method).mode());
  }

  private IdempotentMethod of(Class<?> type, Method method) {
    Method specific = AopUtils.getMostSpecificMethod(method, type);
    return methods.computeIfAbsent(
        new Called(type, specific),
        called -> {
          Idempotent said =
              Objects.requireNonNull(
                  AnnotatedElementUtils.findMergedAnnotation(specific, Idempotent.class));
          IdempotentMethod read = new IdempotentMethod(type, specific, said, defaults.get());
          if (said.operation().isEmpty()) {
            requireOwn(read.operation(), specific);
          }
          return read;
        });
  }

  /**
   * Refuses two methods with the same default operation: they would share keys, and get each
   * other's results.
   */
  private void requireOwn(Operation operation, Method method) {
    Method first = byDefault.putIfAbsent(operation, method);
    if (first != null && !first.equals(method)) {
      throw new InvalidInput(
          "@Idempotent on %s and on %s would both be the operation %s, and share their keys: name one with @Idempotent(operation = \"…\")"
              .formatted(first, method, operation));
    }
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = Objects.requireNonNull(invocation.getThis());
    IdempotentMethod method = of(AopUtils.getTargetClass(target), invocation.getMethod());
    long started = System.nanoTime();
    ExecutionRequest<Result> request = method.request(target, arguments(invocation));
    ExecutionChoice how = executions.get();
    how.telemetry().keyMade(method.operation(), Duration.ofNanos(System.nanoTime() - started));
    LaterResults.Guarded guarded =
        work -> answer(request.key(), how.execute(method.mode(), request, work));
    return switch (method.delivery()) {
      case RETURNED -> guarded.execute(execution -> new Result(proceed(invocation)));
      case STAGE -> LaterResults.stage(request, guarded, () -> proceed(invocation));
      case MONO -> {
        MethodInvocation call = copy(invocation);
        yield LaterMonos.of(guarded, () -> proceed(call));
      }
    };
  }

  @SuppressWarnings("NullAway") // an argument may be null, which the array's type can't express
  private static Object[] arguments(MethodInvocation invocation) {
    return invocation.getArguments();
  }

  /** Copies the call, because repeated transactions and subscriptions run it again. */
  private static MethodInvocation copy(MethodInvocation invocation) {
    return invocation instanceof ProxyMethodInvocation proxied
        ? proxied.invocableClone()
        : invocation;
  }

  private static @Nullable Object proceed(MethodInvocation invocation) throws Exception {
    try {
      return copy(invocation).proceed();
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new UndeclaredThrowableException(e);
    }
  }

  private static @Nullable Object answer(Key key, Outcome<Result> outcome) throws Exception {
    return switch (outcome) {
      case Outcome.Executed<Result> e -> e.result().value();
      case Outcome.Replayed<Result> r -> r.result().value();
      case Outcome.InFlight<Result> f -> throw new IdempotentRefused.InFlight(key, f.left());
      case Outcome.Mismatch<Result> m -> throw new IdempotentRefused.Mismatch(key);
      case Outcome.InDoubt<Result> d -> throw new IdempotentRefused.InDoubt(key, d.original());
      case Outcome.Failed<Result> f -> {
        if (f.cause().isPresent()) {
          throw f.cause().get();
        }
        throw new IdempotentRefused.FailedBefore(key, f.failure());
      }
    };
  }
}
