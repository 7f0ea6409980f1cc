/**
 * Semel in Spring Boot: auto-configuration under {@code semel.*}, {@link
 * dev.semel.spring.Idempotent} on methods of beans, and outbox and inbox in Spring's transactions.
 *
 * <p>Invariant: steps that belong to one transaction use the connection that Spring has bound to
 * it; without one, the call is refused.
 *
 * <p>Start at {@link dev.semel.spring.Idempotent} and {@link
 * dev.semel.spring.SemelAutoConfiguration}.
 */
@NullMarked
package dev.semel.spring;

import org.jspecify.annotations.NullMarked;
