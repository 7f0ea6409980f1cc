/** Messages over Redis Streams. Start at {@link dev.semel.redis.internal.streams.StreamReader}. */
@NullMarked
package dev.semel.redis.internal.streams;

import org.jspecify.annotations.NullMarked;
