package dev.semel.spring;

import dev.semel.loop.Platform;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelayListener;
import dev.semel.outbox.RelaySettings;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.transport.Transport;
import java.util.Optional;
import org.springframework.context.SmartLifecycle;

/** Runs a relay for as long as the application runs. */
public final class RelayLifecycle implements SmartLifecycle {
  private final OutboxStore store;
  private final Transport transport;
  private final RelaySettings settings;
  private final RelayListener listener;
  private Optional<Relay> relay = Optional.empty();

  RelayLifecycle(
      OutboxStore store, Transport transport, RelaySettings settings, RelayListener listener) {
    this.store = store;
    this.transport = transport;
    this.settings = settings;
    this.listener = listener;
  }

  @Override
  public synchronized void start() {
    if (relay.isEmpty()) {
      relay = Optional.of(Relay.start(Platform.REAL, store, transport, settings, listener));
    }
  }

  /** Finishes the messages in flight, and hands its partitions over. */
  @Override
  public synchronized void stop() {
    relay.ifPresent(Relay::close);
    relay = Optional.empty();
  }

  @Override
  public synchronized boolean isRunning() {
    return relay.isPresent();
  }

  /** The running relay; empty: none runs. */
  public synchronized Optional<Relay> relay() {
    return relay;
  }
}
