/**
 * Messages over our own durable streams. Each destination has some partitions, and each partition
 * is a stream; a key's messages are in one partition. What the server confirmed is stored; what a
 * process sends again while it lives is stored once; everything else is for the inbox, by the
 * message's id. Where a consumer stands is kept in its own database. Start with {@link
 * dev.semel.stream.transport.StreamTransport}.
 */
@NullMarked
package dev.semel.stream.transport;

import org.jspecify.annotations.NullMarked;
