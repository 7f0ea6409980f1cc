package dev.semel.tck;

import dev.semel.loop.Platform;
import dev.semel.outbox.internal.MemoryOutbox;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.tck.messages.OutboxStoreContract;
import dev.semel.tck.messages.OutboxUnderTest;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

final class MemoryOutboxStoreTest extends OutboxStoreContract {
  private final InMemory outbox = new InMemory();

  @Override
  protected OutboxUnderTest outbox() {
    return outbox;
  }

  /** JUnit makes a new one for each test. */
  private static final class InMemory implements OutboxUnderTest {
    private final AtomicLong nanos = new AtomicLong();
    private final MemoryOutbox store =
        new MemoryOutbox(
            new Platform() {
              @Override
              public long nanos() {
                return nanos.get();
              }
            },
            1);

    @Override
    public OutboxStore store() {
      return store;
    }

    @Override
    public OutboxOperations operations() {
      throw new UnsupportedOperationException("an outbox in memory has no operators");
    }

    @Override
    public long dead() {
      return store.dead().size();
    }

    @Override
    public OptionalLong kept() {
      return OptionalLong.empty();
    }

    @Override
    public void add(Message... messages) {
      store.add(messages);
    }

    @Override
    public void elapse(Duration d) {
      nanos.addAndGet(d.toNanos());
    }
  }
}
