/**
 * Records, settings, statistics and events in Redis. Start at {@link
 * dev.semel.redis.internal.RedisLink}, through which all commands go; {@link
 * dev.semel.redis.internal.RecordScript} has the steps that Redis runs as one.
 */
@NullMarked
package dev.semel.redis.internal;

import org.jspecify.annotations.NullMarked;
