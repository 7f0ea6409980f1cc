/**
 * Contract tests for implementors of stores, job queues, outboxes, inboxes and transports. To test
 * an engine, extend a {@code …Contract} and provide the matching {@code …UnderTest}, such as {@link
 * dev.semel.tck.IdempotencyStoreContract} and a {@link dev.semel.tck.StoreUnderTest}, or {@link
 * dev.semel.tck.messages.TransportContract} and a {@link
 * dev.semel.tck.messages.TransportUnderTest}. For several engines, write the subclass once as a
 * {@code @ParameterizedClass} of JUnit whose constructor takes the {@code …UnderTest}.
 *
 * <p>Invariant: every test uses different keys, so that one engine can serve them all, and none
 * sleeps: time passes on the store's clock, by {@link dev.semel.tck.StoreUnderTest#elapse}. A
 * feature that an engine lacks is a visible skip.
 *
 * <p>A new guarantee starts here. Start at {@link dev.semel.tck.IdempotencyStoreContract}.
 */
@NullMarked
package dev.semel.tck;

import org.jspecify.annotations.NullMarked;
