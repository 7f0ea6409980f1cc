/**
 * Records, settings, statistics and events in SQL tables. What differs between servers is a {@link
 * dev.semel.jdbc.internal.store.SqlDialect}; the tables are in {@link
 * dev.semel.jdbc.internal.store.SqlSchema}.
 */
@NullMarked
package dev.semel.jdbc.internal.store;

import org.jspecify.annotations.NullMarked;
