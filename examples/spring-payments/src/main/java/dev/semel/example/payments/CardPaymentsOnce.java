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
 * Card payments happen at the processor, which no rollback of ours undoes. So they have a filter of
 * their own, which executes them under a lease: if we die between the call and its record, the next
 * caller is told that nobody knows, and the card is not charged again.
 */
@Configuration(proxyBeanMethods = false)
class CardPaymentsOnce {
  /** Behind Spring Security, which stands at -100: keys belong to the customer. */
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
