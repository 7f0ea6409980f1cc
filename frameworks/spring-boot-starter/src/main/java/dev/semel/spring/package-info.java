/**
 * Semel in Spring Boot: auto-configuration under {@code semel.*}, {@link
 * dev.semel.spring.Idempotent} on methods of beans, and outbox and inbox in Spring's transactions.
 *
 * <p>Invariant: what is said to happen in one transaction happens on the connection that Spring has
 * bound for it; where there is none, the call is refused instead of going beside it.
 *
 * <p>Start at {@link dev.semel.spring.Idempotent} and {@link
 * dev.semel.spring.SemelAutoConfiguration}.
 */
@NullMarked
package dev.semel.spring;

import org.jspecify.annotations.NullMarked;
