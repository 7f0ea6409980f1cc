package dev.semel.outbox;

import dev.semel.loop.Platform;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.transport.Transport;

/** The outbox, the transport and the platform of one relay. */
record RelayRoute(Platform platform, OutboxStore store, Transport transport) {}
