package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.servlet.IdempotencyFilter;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterProperties;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;

class SemelServletAutoConfigurationTest {
  private static final AutoConfigurations OURS =
      AutoConfigurations.of(SemelAutoConfiguration.class, SemelServletAutoConfiguration.class);

  private final WebApplicationContextRunner runner =
      new WebApplicationContextRunner()
          .withConfiguration(OURS)
          .withPropertyValues("semel.store=memory:");

  @Test
  void thereIsNoFilterUnlessItIsAskedFor() {
    runner.run(context -> assertThat(context).doesNotHaveBean(IdempotencyFilter.class));
    new ApplicationContextRunner()
        .withConfiguration(OURS)
        .withPropertyValues("semel.store=memory:", "semel.http.enabled=true")
        .run(context -> assertThat(context).doesNotHaveBean(IdempotencyFilter.class));
    runner
        .withClassLoader(new FilteredClassLoader("dev.semel.servlet"))
        .withPropertyValues("semel.http.enabled=true")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void theFilterStandsBehindSecurity() {
    runner
        .withPropertyValues("semel.http.enabled=true")
        .run(
            context -> {
              assertThat(context).hasSingleBean(IdempotencyFilter.class);
              assertThat(context.getBean(FilterRegistrationBean.class).getOrder())
                  .isGreaterThan(SecurityFilterProperties.DEFAULT_FILTER_ORDER);
            });
  }

  @Test
  void whatCannotBeIsSaidAtTheStart() {
    runner
        .withPropertyValues("semel.http.enabled=true", "semel.http.paths=payments")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("is no pattern of a route"));
    runner
        .withPropertyValues("semel.http.enabled=true", "semel.http.same-transaction=true")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("semel.http.same-transaction needs PostgreSQL"));
  }
}
