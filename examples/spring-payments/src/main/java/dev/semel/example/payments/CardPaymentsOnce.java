package dev.semel.example.payments;

import dev.semel.http.HttpIdempotency;
import dev.semel.http.HttpRules;
import dev.semel.http.KeyRule;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.Idempotency;
import dev.semel.servlet.GuardedRoute;
import dev.semel.servlet.IdempotencyFilter;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Guards card payments by a separate filter under a lease, because no rollback of ours undoes a
 * charge at the processor. After a crash between the call and its record, the payment is in doubt:
 * the next caller gets that answer, and the card is not charged again.
 */
@Configuration(proxyBeanMethods = false)
class CardPaymentsOnce {
  /** After Spring Security at -100, because keys belong to the customer. */
  private static final int BEHIND_SECURITY = -50;

  @Bean
  FilterRegistrationBean<IdempotencyFilter> cardPaymentsFilter(
      Idempotency idempotency, @Value("${semel.policy.lease}") Duration lease) {
    HttpRules rules =
        HttpRules.of("card-payment")
            .withKeyRule(KeyRule.REQUIRED)
            .withPolicy(ExecutionPolicy.defaults().withLease(lease));
    GuardedRoute route =
        new GuardedRoute("/card-payments", new HttpIdempotency(idempotency, rules));
    FilterRegistrationBean<IdempotencyFilter> filter =
        new FilterRegistrationBean<>(new IdempotencyFilter(List.of(route)));
    filter.setOrder(BEHIND_SECURITY);
    return filter;
  }
}
