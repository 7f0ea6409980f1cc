package dev.semel.proof.simulation;

import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A typical broker: it keeps confirmed messages, forgets ids after a while, redelivers messages
 * that were not acknowledged in time, and accepts late acknowledgements. It delivers one message of
 * an ordering key at a time.
 */
final class SimulatedBroker implements BrokerDesk {
  static final Duration ACK_WITHIN = Duration.ofSeconds(2);

  /** The broker refuses a message with this in its id. */
  static final String REFUSED = "X";

  private final SimulatedWorld world;
  private final long window;
  private final Map<String, Long> recent = new HashMap<>();
  private final List<Stored> stored = new ArrayList<>();
  private long sequence;

  private static final class Stored {
    private final long number;
    private final Message message;
    private long attempts;
    private long notBefore;

    Stored(long number, Message message) {
      this.number = number;
      this.message = message;
    }
  }

  SimulatedBroker(SimulatedWorld world, Duration window) {
    this.world = world;
    this.window = window.toNanos();
  }

  @Override
  public PublishResult publish(Message message) {
    if (message.id().contains(REFUSED)) {
      throw new PublishFailed(Kind.REFUSED, "never");
    }
    if (world.random().nextInt(30) == 0) {
      throw new PublishFailed(Kind.BUSY, "not now");
    }
    long now = world.now();
    recent.values().removeIf(at -> now - at > window);
    if (recent.putIfAbsent(message.id(), now) != null) {
      return new PublishResult(true, "");
    }
    stored.add(new Stored(++sequence, message));
    return new PublishResult(false, Long.toString(sequence));
  }

  @Override
  public List<Handed> take(int limit) {
    long now = world.now();
    List<Handed> taken = new ArrayList<>();
    Set<String> busy = new HashSet<>();
    for (Stored each : stored) {
      String key = each.message.orderingKey();
      boolean free = key.isEmpty() || busy.add(key);
      if (free && each.notBefore <= now && taken.size() < limit) {
        each.attempts++;
        each.notBefore = now + ACK_WITHIN.toNanos();
        taken.add(new Handed(each.number, each.message, each.attempts));
      }
    }
    return taken;
  }

  @Override
  public boolean acknowledge(long number) {
    return stored.removeIf(each -> each.number == number);
  }

  @Override
  public boolean retry(long number, Duration pause) {
    Optional<Stored> found = stored.stream().filter(each -> each.number == number).findFirst();
    found.ifPresent(each -> each.notBefore = world.now() + pause.toNanos());
    return found.isPresent();
  }

  int waiting() {
    return stored.size();
  }
}
