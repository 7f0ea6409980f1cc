package dev.semel.outbox;

import dev.semel.loop.Platform;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.transport.Transport;

/** From which table to which broker a relay takes messages, and on which machine. */
record RelayRoute(Platform platform, OutboxStore store, Transport transport) {}
