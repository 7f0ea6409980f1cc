/**
 * The stores on Redis and Redis Cluster, 7.0 or newer: records, the operators' view of them,
 * statistics, settings and events.
 *
 * <p>Invariant: one key is one Redis string, and every step that changes it is one command or one
 * script that touches only that string. Redis's clock decides: a string's time to live always
 * starts at its record's full retention, so the difference is the time since the last change. Every
 * step is idempotent, because the client repeats commands that a lost connection left unanswered.
 *
 * <p>On a cluster, everything that is not about one key shares the slot of {@code {semel}}, and
 * steps over all keys ask the primaries one after another.
 *
 * <p>Messages over Redis Streams are here too, because they share the connections. Their invariant:
 * an entry is dropped only when every consumer has acknowledged it, and only the reader with a
 * partition's lease reads and acknowledges there; the same script compares the lease. Start at
 * {@link dev.semel.redis.RedisStreamsTransport}; {@code StreamScript} has the steps.
 *
 * <p>Jobs are in {@link dev.semel.redis.RedisJobs}. Their invariant: all names of a queue's shard
 * have its hash tag, and every step is one script there; {@code JobScript} has the steps and the
 * layout.
 *
 * <p>Start at {@link dev.semel.redis.RedisStore}; {@code RecordCodec} has the layout of the bytes
 * and {@code RecordScript} the steps that Redis runs.
 */
@NullMarked
package dev.semel.redis;

import org.jspecify.annotations.NullMarked;
