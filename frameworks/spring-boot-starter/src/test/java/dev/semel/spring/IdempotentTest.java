package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.spring.test.AutoConfigureSemel;
import dev.semel.spring.test.SemelTestFixture;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

class IdempotentTest {
  record Order(String orderId, int amount) {}

  record Receipt(String text, int number) {}

  static class NoMoney extends Exception {
    private static final long serialVersionUID = 1L;

    NoMoney() {
      super("no money");
    }
  }

  /** The application's code. */
  static class Payments {
    final AtomicInteger calls = new AtomicInteger();

    @Idempotent(key = "#order.orderId", operation = "payment", retention = "7d")
    public Receipt pay(Order order) {
      return new Receipt("paid " + order.amount(), calls.incrementAndGet());
    }

    @Idempotent(key = "#id", fingerprint = "''", tenant = "#tenant")
    public void mark(String tenant, String id) {
      calls.incrementAndGet();
    }

    @Idempotent(key = "#p0", finalFailures = NoMoney.class)
    public @Nullable String charge(String id) throws NoMoney {
      calls.incrementAndGet();
      if (id.startsWith("poor")) {
        throw new NoMoney();
      }
      if (id.startsWith("broken")) {
        throw new IllegalStateException("broken");
      }
      return null;
    }
  }

  @AutoConfigureSemel
  static class Fixture {}

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  SemelMicrometerAutoConfiguration.class, SemelAutoConfiguration.class))
          .withUserConfiguration(Fixture.class)
          .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
          .withBean(ObjectMapper.class, () -> JsonMapper.builder().build());

  private void with(Consumer<ApplicationContext> test) {
    runner.withBean(Payments.class).run(test::accept);
  }

  @Test
  void aMethodRunsOnceAndLaterCallersGetItsResult() {
    with(
        context -> {
          Payments payments = context.getBean(Payments.class);
          Receipt first = payments.pay(new Order("o-1", 10));
          assertThat(payments.pay(new Order("o-1", 10))).isEqualTo(first);
          assertThat(payments.pay(new Order("o-2", 10)).number()).isEqualTo(2);

          SemelTestFixture fixture = context.getBean(SemelTestFixture.class);
          fixture.assertExecutedOnce("payment", "o-1");
          assertThat(fixture.replays("payment", "o-1")).isEqualTo(1);
          assertThatThrownBy(() -> fixture.assertExecutedOnce("payment", "o-3"))
              .isInstanceOf(AssertionError.class)
              .hasMessageContaining("0 times");
        });
  }

  @Test
  void theRecordIsKeptAsLongAsTheAnnotationSays() {
    with(
        context -> {
          Payments payments = context.getBean(Payments.class);
          SemelTestFixture fixture = context.getBean(SemelTestFixture.class);
          payments.pay(new Order("o-1", 10));
          fixture.advance(Duration.ofDays(6));
          assertThat(payments.pay(new Order("o-1", 10)).number()).isEqualTo(1);
          fixture.advance(Duration.ofDays(2));
          assertThat(payments.pay(new Order("o-1", 10)).number()).isEqualTo(2);
        });
  }

  @Test
  void otherArgumentsUnderTheSameKeyAreRefused() {
    with(
        context -> {
          Payments payments = context.getBean(Payments.class);
          payments.pay(new Order("o-1", 10));
          assertThatThrownBy(() -> payments.pay(new Order("o-1", 11)))
              .isInstanceOf(IdempotentRefused.Mismatch.class)
              .hasMessageContaining("default/payment:o-1");
        });
  }

  @Test
  void tenantsAreKeptApartAndTheOperationHasADefaultName() {
    with(
        context -> {
          Payments payments = context.getBean(Payments.class);
          payments.mark("a", "1");
          payments.mark("a", "1");
          payments.mark("b", "1");
          assertThat(calls(context)).isEqualTo(2);
          assertThat(context.getBean(SemelTestFixture.class).executions("Payments.mark", "1"))
              .isEqualTo(2);
        });
  }

  @Test
  void aFinalFailureIsKeptAndAnyOtherMayBeTriedAgain() throws Exception {
    with(
        context -> {
          Payments payments = context.getBean(Payments.class);
          assertThatThrownBy(() -> payments.charge("poor")).isInstanceOf(NoMoney.class);
          assertThatThrownBy(() -> payments.charge("poor"))
              .isInstanceOf(IdempotentRefused.FailedBefore.class)
              .hasMessageContaining("no money");
          assertThat(calls(context)).isEqualTo(1);
          for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> payments.charge("broken"))
                .isInstanceOf(IllegalStateException.class);
          }
          assertThat(calls(context)).isEqualTo(3);
        });
  }

  @Test
  void nothingIsAResultToo() {
    with(
        context -> {
          Payments payments = context.getBean(Payments.class);
          try {
            assertThat(payments.charge("rich")).isNull();
            assertThat(payments.charge("rich")).isNull();
          } catch (NoMoney e) {
            throw new AssertionError(e);
          }
          assertThat(calls(context)).isEqualTo(1);
        });
  }

  @Test
  void aDuplicateInFlightIsToldSo() {
    runner
        .withPropertyValues("semel.policy.lease=20s")
        .withBean(Inner.class)
        .run(
            context -> {
              Inner inner = context.getBean(Inner.class);
              assertThat(inner.outer("1", 1)).isEqualTo("in flight for PT20S");
            });
  }

  /** Calls itself through the proxy, so that the second call meets the first. */
  static class Inner {
    private final ApplicationContext context;

    Inner(ApplicationContext context) {
      this.context = context;
    }

    @Idempotent(key = "#id", fingerprint = "''")
    public String outer(String id, int depth) {
      try {
        return depth == 0 ? "ran" : context.getBean(Inner.class).outer(id, depth - 1);
      } catch (IdempotentRefused.InFlight e) {
        return "in flight for " + e.left();
      }
    }
  }

  @Test
  void callsAreMetered() {
    with(
        context -> {
          context.getBean(Payments.class).pay(new Order("o-1", 10));
          MeterRegistry registry = context.getBean(MeterRegistry.class);
          assertThat(
                  registry.get("semel.key.generation").tag("operation", "payment").timer().count())
              .isEqualTo(1);
          assertThat(registry.get("semel.dedup.check").tag("operation", "payment").timer().count())
              .isEqualTo(1);
          assertThat(registry.get("semel.misses").tag("operation", "payment").counter().count())
              .isEqualTo(1);
        });
  }

  static class NoExpression {
    @Idempotent(key = "#order.")
    public void pay(Order order) {}
  }

  static class NoParameter {
    @Idempotent(key = "#oder.orderId")
    public void pay(Order order) {}
  }

  static class NoProperty {
    @Idempotent(key = "#order.id")
    public void pay(Order order) {}
  }

  static class NoDuration {
    @Idempotent(key = "#order.orderId", retention = "a while")
    public void pay(Order order) {}
  }

  static class NoProxy {
    @Idempotent(key = "#order.orderId")
    public final void pay(Order order) {}
  }

  static class NoTransaction {
    @Idempotent(key = "#order.orderId", mode = Idempotent.Mode.SAME_TRANSACTION)
    public void pay(Order order) {}
  }

  static class NoNameOfItsOwn {
    @Idempotent(key = "#id")
    public void pay(long id) {}

    @Idempotent(key = "#id")
    public void pay(String id) {}
  }

  static class NoKey {
    @Idempotent(key = " ")
    public void pay(Order order) {}
  }

  static class EmptyKey {
    @Idempotent(key = "''")
    public void pay(Order order) {}
  }

  static class AnotherTransaction {
    @Idempotent(key = "#order.orderId")
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void pay(Order order) {}
  }

  @Transactional(propagation = Propagation.NOT_SUPPORTED)
  static class OutsideOfAny {
    @Idempotent(key = "#order.orderId")
    public void pay(Order order) {}
  }

  static class UnderALease {
    @Idempotent(key = "#order.orderId", mode = Idempotent.Mode.LEASE)
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void pay(Order order) {}
  }

  static class Untyped {
    @Idempotent(key = "#order.orderId")
    public Object pay(Order order) {
      return order;
    }
  }

  /** A generic method, whose return type only the bean's class shows. */
  static class Generic<T> {
    @Idempotent(key = "#value.hashCode()")
    public T same(T value) {
      return value;
    }
  }

  static class Typed extends Generic<Order> {}

  @Test
  void aTypeThatOnlyTheBeansClassKnowsIsKept() {
    runner
        .withBean(Typed.class)
        .run(
            context -> {
              Typed typed = context.getBean(Typed.class);
              assertThat(typed.same(new Order("o-1", 1))).isEqualTo(new Order("o-1", 1));
              assertThat(typed.same(new Order("o-1", 1))).isEqualTo(new Order("o-1", 1));
            });
    refused(Generic.class, "Generic.same");
  }

  @Test
  void whatIsWrongWithAnAnnotationIsSaidAtTheStart() {
    refused(NoKey.class, "@Idempotent(key = \" \") on NoKey.pay");
    refused(EmptyKey.class, "@Idempotent(key = \"''\") on EmptyKey.pay");
    refused(AnotherTransaction.class, "AnotherTransaction.pay", "REQUIRES_NEW");
    refused(OutsideOfAny.class, "OutsideOfAny.pay", "NOT_SUPPORTED");
    runner.withBean(UnderALease.class).run(context -> assertThat(context).hasNotFailed());
    refused(Untyped.class, "Untyped.pay", "Object");
    refused(NoExpression.class, "is no expression");
    refused(NoParameter.class, "asks for #oder, but the method's parameters are [order]");
    refused(NoProperty.class, "asks for id, but Order has no such property");
    refused(NoDuration.class, "is no duration");
    refused(NoProxy.class, "make it public");
    refused(NoTransaction.class, "needs PostgreSQL");
    refused(NoNameOfItsOwn.class, "would both be the operation NoNameOfItsOwn.pay");
  }

  private void refused(Class<?> bean, String... parts) {
    runner
        .withBean(bean)
        .run(
            context -> {
              assertThat(context).hasFailed();
              assertThat(context.getStartupFailure()).rootCause().hasMessageContainingAll(parts);
            });
  }

  private static int calls(ApplicationContext context) {
    Payments bean = context.getBean(Payments.class);
    return ((Payments) Objects.requireNonNull(AopProxyUtils.getSingletonTarget(bean))).calls.get();
  }
}
