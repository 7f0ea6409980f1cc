package dev.semel.spring;

import dev.semel.http.HttpIdempotency;
import dev.semel.servlet.GuardedRoute;
import dev.semel.servlet.IdempotencyFilter;
import dev.semel.spring.internal.AsyncHandlers;
import dev.semel.spring.internal.ExecutionChoice;
import dev.semel.spring.internal.GuardedErrors;
import jakarta.servlet.DispatcherType;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Configures the filter for requests with an {@code Idempotency-Key}. It runs after Spring
 * Security, because keys belong to the authenticated principal.
 */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({IdempotencyFilter.class, FilterRegistrationBean.class})
@ConditionalOnBooleanProperty(name = "semel.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "semel.http.enabled")
public class SemelServletAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  IdempotencyFilter semelIdempotencyFilter(SemelProperties properties, ExecutionChoice executions) {
    SemelProperties.HttpProperties http = properties.http();
    HttpIdempotency guarded =
        new HttpIdempotency(
                executions.once(http.sameTransaction()), http.rules(properties.policy().policy()))
            .with(executions.telemetry());
    return new IdempotencyFilter(
        http.paths().stream().map(path -> new GuardedRoute(path, guarded)).toList());
  }

  @Bean
  FilterRegistrationBean<IdempotencyFilter> semelIdempotencyFilterRegistration(
      IdempotencyFilter filter, SemelProperties properties) {
    FilterRegistrationBean<IdempotencyFilter> registration = new FilterRegistrationBean<>(filter);
    registration.setOrder(properties.http().order());
    registration.setDispatcherTypes(DispatcherType.REQUEST);
    registration.setAsyncSupported(true);
    return registration;
  }

  /** Only where Spring MVC is present. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(WebMvcConfigurer.class)
  static class Mvc {
    @Bean
    WebMvcConfigurer semelGuardedErrors() {
      return new GuardedErrors();
    }

    /**
     * Checks handlers before the server accepts a request; only for our own filter, whose paths are
     * known.
     */
    @Bean
    @ConditionalOnBooleanProperty(name = "semel.http.same-transaction")
    SmartInitializingSingleton semelAsyncHandlers(
        @Qualifier("semelIdempotencyFilter") ObjectProvider<IdempotencyFilter> filters,
        ObjectProvider<RequestMappingHandlerMapping> mappings,
        @Value("${spring.mvc.servlet.path:/}") String servlet) {
      String prefix = servlet.endsWith("/") ? servlet.substring(0, servlet.length() - 1) : servlet;
      return () ->
          filters.ifAvailable(
              filter ->
                  mappings.forEach(
                      mapping ->
                          AsyncHandlers.requireNone(mapping.getHandlerMethods(), filter, prefix)));
    }
  }
}
