/**
 * What a store promises, as tests to extend: a store's own test is a subclass of {@link
 * dev.semel.tck.IdempotencyStoreContract}, {@link dev.semel.tck.KeyCatalogContract} or {@link
 * dev.semel.tck.StatisticsStoreContract} that gives a {@link dev.semel.tck.StoreUnderTest}.
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
