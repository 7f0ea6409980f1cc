/**
 * The stores on Redis and Redis Cluster, 7.0 or newer: records, what operators see of them,
 * statistics, settings and events.
 *
 * <p>Invariant: one key is one Redis string, and every step that changes it is one command or one
 * script that touches only that string. Redis's clock decides: a string's time to live always
 * starts at its record's full retention, so what is missing from it is the time since the last
 * change. Every step may be sent twice, because the client sends again what a lost connection left
 * unanswered.
 *
 * <p>On a cluster, what is not about one key shares the slot of {@code {semel}}, and whatever goes
 * through all keys asks the primaries one after the other.
 *
 * <p>Messages over Redis Streams are here too, because they share the connections. Their invariant:
 * an entry is dropped only when every consumer has acknowledged it, and only the reader that has a
 * partition's lease reads and acknowledges there, which is compared in the same script. {@link
 * dev.semel.redis.RedisStreamsTransport} is where they begin, and {@code StreamScript} has their
 * steps.
 *
 * <p>Jobs are in {@link dev.semel.redis.RedisJobs}. Their invariant: everything of a shard of a
 * queue has its hash tag, and every step is one script there; {@code JobScript} has the steps and
 * the layout.
 *
 * <p>Start at {@link dev.semel.redis.RedisStore}; {@code RecordCodec} has the layout of the bytes
 * and {@code RecordScript} the steps that Redis runs.
 */
@NullMarked
package dev.semel.redis;

import org.jspecify.annotations.NullMarked;
