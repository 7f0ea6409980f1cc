/**
 * Our own requests over HTTP, on the JDK's client: one way to send, to read an answer within a
 * limit, to check a server's address and a token, and to read {@code Retry-After}. The admin API's
 * client, the client of streams, {@code IdempotentClient} and webhooks all use it.
 *
 * <p>Invariant: nothing is sent twice, redirects are not followed, and every answer is limited in
 * time and length.
 *
 * <p>Start at {@link dev.semel.net.internal.HttpSender}.
 */
@NullMarked
package dev.semel.net.internal;

import org.jspecify.annotations.NullMarked;
