package dev.semel.spring;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Policy;
import dev.semel.idempotency.Request;
import dev.semel.spring.ResultCodecs.Result;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;

/** What an annotation says of its method, read and checked once; safe for many threads. */
final class IdempotentMethod {
  /** What every method has in common. */
  record Defaults(Tenant tenant, Policy policy, ResultCodecs codecs, BeanFactory beans) {}

  private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

  private final Method method;
  private final Defaults defaults;
  private final Operation operation;
  private final Policy policy;
  private final Codec<Result> codec;
  private final Idempotent.Mode mode;
  private final KeyExpression key;
  private final Optional<KeyExpression> tenant;
  private final Optional<KeyExpression> fingerprint;

  /**
   * Reads it.
   *
   * @throws InvalidInput what the annotation says can't be; the message says where
   */
  IdempotentMethod(Method method, Idempotent said, Defaults defaults) {
    this.method = method;
    this.defaults = defaults;
    requireProxied(method);
    this.operation = new Operation(said.operation().isEmpty() ? name(method) : said.operation());
    this.policy = policy(said, defaults.policy());
    this.codec = defaults.codecs().codec(method.getGenericReturnType());
    this.mode = said.mode();
    this.key = KeyExpression.parse("key", said.key(), method);
    this.tenant = optional("tenant", said.tenant());
    this.fingerprint = optional("fingerprint", said.fingerprint());
  }

  private Optional<KeyExpression> optional(String attribute, String text) {
    return text.isEmpty()
        ? Optional.empty()
        : Optional.of(KeyExpression.parse(attribute, text, method));
  }

  private static void requireProxied(Method method) {
    int modifiers = method.getModifiers();
    if (Modifier.isPrivate(modifiers)
        || Modifier.isStatic(modifiers)
        || Modifier.isFinal(modifiers)) {
      throw new InvalidInput(
          "@Idempotent on %s has no effect, because a private, static or final method can't be called through Spring's proxy: make it public"
              .formatted(name(method)));
    }
  }

  private static String name(Method method) {
    return method.getDeclaringClass().getSimpleName() + "." + method.getName();
  }

  private static Policy policy(Idempotent said, Policy policy) {
    Policy result = policy;
    if (!said.lease().isEmpty()) {
      result = result.withLease(duration("lease", said.lease()));
    }
    if (!said.retention().isEmpty()) {
      result = result.withRetention(duration("retention", said.retention()));
    }
    if (!said.waitUpTo().isEmpty()) {
      result = result.withWaitUpTo(duration("waitUpTo", said.waitUpTo()));
    }
    if (said.takeover().length > 1) {
      throw new InvalidInput("@Idempotent takes at most one takeover policy");
    }
    if (said.takeover().length == 1) {
      result = result.withTakeover(said.takeover()[0]);
    }
    List<Class<? extends Exception>> kept = Arrays.asList(said.finalFailures());
    return kept.isEmpty()
        ? result
        : result.withOnFailure(failure -> kept.stream().anyMatch(k -> k.isInstance(failure)));
  }

  private static Duration duration(String attribute, String text) {
    try {
      return DurationStyle.detectAndParse(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidInput(
          "@Idempotent(%s = \"%s\") is no duration: write it as in 30s, 24h or 7d"
              .formatted(attribute, text));
    }
  }

  Operation operation() {
    return operation;
  }

  Idempotent.Mode mode() {
    return mode;
  }

  /** The request that a call is. */
  Request<Result> request(Object target, Object[] arguments) {
    MethodBasedEvaluationContext context =
        new MethodBasedEvaluationContext(target, method, arguments, NAMES);
    context.setBeanResolver(new BeanFactoryResolver(defaults.beans()));
    Tenant owner = tenant.map(t -> new Tenant(t.text(context))).orElse(defaults.tenant());
    return Request.of(new Key(owner, operation, key.text(context)), codec)
        .withPolicy(policy)
        .withFingerprint(fingerprint(context, arguments));
  }

  private Fingerprint fingerprint(MethodBasedEvaluationContext context, Object[] arguments) {
    if (fingerprint.isEmpty()) {
      return defaults.codecs().fingerprint(Arrays.asList(arguments));
    }
    Object value = fingerprint.get().value(context);
    return "".equals(value)
        ? Fingerprint.NONE
        : defaults.codecs().fingerprint(Arrays.asList(value));
  }
}
