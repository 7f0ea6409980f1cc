/**
 * Messages over our own durable streams. Each destination has some partitions, and each partition
 * is a stream; a key's messages are in one partition. A confirmed message is stored; a message that
 * a process sends again while it runs is stored once; the inbox drops all other duplicates, by the
 * message's id. Each consumer's database keeps its positions. Start with {@link
 * dev.semel.stream.transport.StreamTransport}.
 */
@NullMarked
package dev.semel.stream.transport;

import org.jspecify.annotations.NullMarked;
