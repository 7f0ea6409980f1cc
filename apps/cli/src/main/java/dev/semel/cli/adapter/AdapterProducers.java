package dev.semel.cli.adapter;

import dev.semel.InvalidInput;
import dev.semel.stream.client.IdempotentProducer;
import dev.semel.stream.client.ProducerException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Producers that live from one command to the next, each at its position in its epoch. */
final class AdapterProducers implements AutoCloseable {
  /** Limit of producers, because each has a thread. */
  static final int MAX_PRODUCERS = 256;

  /** The epoch is the one at the beginning, even if the producer has claimed a later one. */
  record Name(String path, String id, long epoch) {}

  private final Map<Name, IdempotentProducer> open = new LinkedHashMap<>();

  IdempotentProducer get(Name name, Supplier<IdempotentProducer> otherwise) {
    IdempotentProducer there = open.get(name);
    if (there != null) {
      return there;
    }
    if (open.size() >= MAX_PRODUCERS) {
      throw new InvalidInput(
          "%d producers are open, the limit: send idempotent-detach for some"
              .formatted(MAX_PRODUCERS));
    }
    IdempotentProducer fresh = otherwise.get();
    open.put(name, fresh);
    return fresh;
  }

  /** Removes a producer; the caller closes it. */
  Optional<IdempotentProducer> take(Name name) {
    return Optional.ofNullable(open.remove(name));
  }

  void forget(String path) {
    Iterator<Map.Entry<Name, IdempotentProducer>> each = open.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<Name, IdempotentProducer> entry = each.next();
      if (entry.getKey().path().equals(path)) {
        each.remove();
        end(entry.getValue());
      }
    }
  }

  /** Every command waits for its appends, so each failure was reported. */
  private static void end(IdempotentProducer producer) {
    try {
      producer.close();
    } catch (ProducerException e) {
      // reported before
    }
  }

  @Override
  public void close() {
    open.values().forEach(AdapterProducers::end);
    open.clear();
  }
}
