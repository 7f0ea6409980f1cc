/**
 * Real services for our own tests, benchmarks and demonstrations, without Docker: a server is
 * brought along as a binary, started as a child process on a free loopback port, and gone at the
 * end together with its files.
 *
 * <p>Invariant: {@code start()} returns a service that answers, or throws with the server's own log
 * in the message; nothing is ever skipped because a service was missing. Waiting is by condition,
 * and only processes started here are ended here.
 *
 * <p>Start at {@link dev.semel.testservices.SharedServices} in a test, and at {@link
 * dev.semel.testservices.PostgresService} or {@link dev.semel.testservices.RedisService} elsewhere.
 */
@NullMarked
package dev.semel.testservices;

import org.jspecify.annotations.NullMarked;
