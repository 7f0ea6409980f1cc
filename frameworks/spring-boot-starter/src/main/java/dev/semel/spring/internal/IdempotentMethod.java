package dev.semel.spring.internal;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Fingerprint;
import dev.semel.spring.Idempotent;
import dev.semel.spring.ResultCodecs;
import dev.semel.spring.ResultCodecs.Result;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** A method's annotation, read and checked once. Safe for many threads. */
public final class IdempotentMethod {
  /** What all methods share. */
  public record Defaults(
      Tenant tenant, ExecutionPolicy policy, ResultCodecs codecs, BeanFactory beans) {}

  private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

  /**
   * Annotations by name, because neither may be on the class path, with the attribute for the
   * propagation.
   */
  private static final Map<String, String> TRANSACTIONAL =
      Map.of(
          "org.springframework.transaction.annotation.Transactional",
          "propagation",
          "jakarta.transaction.Transactional",
          "value");

  private static final Set<String> APART = Set.of("REQUIRES_NEW", "NOT_SUPPORTED", "NEVER");

  private final Method method;
  private final Defaults defaults;
  private final Operation operation;
  private final ExecutionPolicy policy;
  private final Codec<Result> codec;
  private final ResultDelivery delivery;
  private final Idempotent.Mode mode;
  private final KeyExpression key;
  private final Optional<KeyExpression> tenant;
  private final Optional<KeyExpression> fingerprint;

  /**
   * Reads and checks the annotation.
   *
   * @throws InvalidInput the annotation is invalid; the message says where
   */
  public IdempotentMethod(Class<?> type, Method method, Idempotent said, Defaults defaults) {
    this.method = method;
    this.defaults = defaults;
    requireProxied(method);
    this.operation = new Operation(said.operation().isEmpty() ? name(method) : said.operation());
    this.policy = policy(said, defaults.policy());
    Type returned = GenericTypeResolver.resolveType(method.getGenericReturnType(), type);
    this.delivery =
        ResultDelivery.of(
            ResolvableType.forMethodReturnType(method, type).resolve(Object.class), name(method));
    this.codec = codec(delivery.result(returned), method, defaults.codecs());
    this.mode = mode(said.mode(), type);
    this.key = KeyExpression.parse("key", said.key(), method).requireValue();
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

  private static Codec<Result> codec(Type result, Method method, ResultCodecs codecs) {
    try {
      return codecs.codec(result);
    } catch (InvalidInput e) {
      throw new InvalidInput("@Idempotent on %s: %s".formatted(name(method), e.getMessage()));
    }
  }

  /** The mode to use, after checking that the method supports it. */
  private Idempotent.Mode mode(Idempotent.Mode said, Class<?> type) {
    requireNoTransactionOfItsOwn(said, type);
    boolean detached =
        delivery == ResultDelivery.RETURNED
            && merged("org.springframework.scheduling.annotation.Async", type).isPresent();
    if (detached) {
      throw new InvalidInput(
          "@Idempotent on %s would be recorded as done before it is, because of @Async: return a CompletableFuture, or have it call a method with @Idempotent"
              .formatted(name(method)));
    }
    if (delivery == ResultDelivery.RETURNED) {
      return said;
    }
    if (said == Idempotent.Mode.SAME_TRANSACTION) {
      throw new InvalidInput(
          "@Idempotent on %s can't be in the same transaction, which is over when the method returns and its result is still to come: use mode = LEASE, or return the result itself"
              .formatted(name(method)));
    }
    return Idempotent.Mode.LEASE;
  }

  /**
   * Refuses a propagation that would commit the writes apart from the record: a crash could then
   * repeat them.
   */
  private void requireNoTransactionOfItsOwn(Idempotent.Mode said, Class<?> type) {
    if (said == Idempotent.Mode.LEASE) {
      return;
    }
    Optional<String> apart =
        TRANSACTIONAL.entrySet().stream()
            .flatMap(
                each ->
                    merged(each.getKey(), type)
                        .map(
                            found -> found.asAnnotationAttributes().getEnum(each.getValue()).name())
                        .stream())
            .filter(APART::contains)
            .findFirst();
    if (apart.isPresent()) {
      throw new InvalidInput(
          "@Idempotent on %s with @Transactional(%s) would commit, or write, apart from the record of it: leave the propagation out, or use mode = LEASE"
              .formatted(name(method), apart.get()));
    }
  }

  /** The annotation of the method, or else of its class. */
  private Optional<MergedAnnotation<Annotation>> merged(String annotation, Class<?> type) {
    return Stream.of(method, type)
        .map(
            element ->
                MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).get(annotation))
        .filter(MergedAnnotation::isPresent)
        .findFirst();
  }

  private static String name(Method method) {
    return method.getDeclaringClass().getSimpleName() + "." + method.getName();
  }

  private static ExecutionPolicy policy(Idempotent said, ExecutionPolicy policy) {
    ExecutionPolicy result = policy;
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

  public Operation operation() {
    return operation;
  }

  public ResultDelivery delivery() {
    return delivery;
  }

  public Idempotent.Mode mode() {
    return mode;
  }

  /** The request for a call. */
  public ExecutionRequest<Result> request(Object target, Object[] arguments) {
    MethodBasedEvaluationContext context =
        new MethodBasedEvaluationContext(target, method, arguments, NAMES);
    context.setBeanResolver(new BeanFactoryResolver(defaults.beans()));
    Tenant owner = tenant.map(t -> new Tenant(t.text(context))).orElse(defaults.tenant());
    return ExecutionRequest.of(new Key(owner, operation, key.text(context)), codec)
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
