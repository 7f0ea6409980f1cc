/**
 * What a store, a queue of jobs, an outbox, an inbox or a transport promises, as tests to extend:
 * its own test is a subclass of a {@code …Contract} that gives what is {@code …UnderTest}, such as
 * {@link dev.semel.tck.IdempotencyStoreContract} and a {@link dev.semel.tck.StoreUnderTest}, or
 * {@link dev.semel.tck.messages.TransportContract} and a {@link
 * dev.semel.tck.messages.TransportUnderTest}. Who has several engines writes that subclass once, as
 * JUnit's {@code @ParameterizedClass} whose constructor takes what is under test.
 *
 * <p>Invariant: every test draws keys of its own, so that one engine can serve them all, and none
 * waits by sleeping: time passes on the store's clock, by {@link
 * dev.semel.tck.StoreUnderTest#elapse}. What an engine can't do is a visible skip.
 *
 * <p>A new guarantee lands here first. Start at {@link dev.semel.tck.IdempotencyStoreContract}.
 */
@NullMarked
package dev.semel.tck;

import org.jspecify.annotations.NullMarked;
