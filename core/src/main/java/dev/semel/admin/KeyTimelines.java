package dev.semel.admin;

import dev.semel.Key;
import dev.semel.event.EventLine;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.job.spi.JobOperations;
import dev.semel.outbox.spi.OutboxOperations;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reads the timeline of a key from the store, and from outbox, inbox and jobs where there are any.
 * Safe for use by many threads.
 */
final class KeyTimelines {
  /** How many events of a key are shown at most: the newest. */
  public static final int MAX_EVENTS = EventStore.MAX_PAGE;

  /** How many messages of a key are shown at most. */
  public static final int MAX_MESSAGES = 1000;

  private final Store store;
  private final Optional<OutboxOperations> outbox;
  private final Optional<InboxOperations> inbox;
  private final Optional<JobOperations> jobs;

  KeyTimelines(
      Store store,
      Optional<OutboxOperations> outbox,
      Optional<InboxOperations> inbox,
      Optional<JobOperations> jobs) {
    this.store = store;
    this.outbox = outbox;
    this.inbox = inbox;
    this.jobs = jobs;
  }

  /** The timeline as it is known now. Changes nothing. */
  public KeyTimeline of(Key key) {
    KeyTimeline.Parts parts = new KeyTimeline.Parts(key, store.now());
    List<EventLine> events = store.events().about(key, MAX_EVENTS);
    List<EventLine> masked = store.events().about(EventLine.masked(key), MAX_EVENTS);
    parts.events(events).masked(masked).events(changes(key));
    if (events.size() == MAX_EVENTS || masked.size() == MAX_EVENTS) {
      parts.cut();
    }
    store.idempotency().find(key).ifPresent(found -> parts.record(new KeyEntry(key, found)));
    outbox.ifPresent(sent -> sent.about(key, MAX_MESSAGES).forEach(parts::sent));
    inbox.ifPresent(received -> received(parts, received));
    jobs.flatMap(queue -> queue.find(key)).ifPresent(parts::job);
    return parts.line();
  }

  /**
   * Changes by operators are not events about a key but name it as their target; only the newest
   * events are searched.
   */
  private List<EventLine> changes(Key key) {
    return store.events().latest(EventStore.MAX_PAGE).stream()
        .filter(line -> line.kind().equals("changed"))
        .filter(line -> KeyTimeline.Parts.facts(line).getOrDefault("target", "").equals(key.text()))
        .toList();
  }

  /** The events say which consumers received which messages. */
  private static void received(KeyTimeline.Parts parts, InboxOperations inbox) {
    Set<KeyTimeline.Parts.Heard> heard = parts.heard();
    Set<String> consumers =
        heard.stream()
            .map(KeyTimeline.Parts.Heard::consumer)
            .collect(Collectors.toCollection(TreeSet::new));
    for (String consumer : consumers) {
      Set<String> ids =
          heard.stream()
              .filter(each -> each.consumer().equals(consumer))
              .map(KeyTimeline.Parts.Heard::message)
              .collect(Collectors.toCollection(TreeSet::new));
      ids.stream()
          .filter(id -> inbox.find(consumer, id).isPresent())
          .forEach(id -> parts.stored(consumer, id));
      inbox
          .list(consumer, InboxOperations.State.IN_DOUBT, "", InboxOperations.MAX_PAGE)
          .entries()
          .stream()
          .filter(entry -> ids.contains(entry.id()))
          .forEach(entry -> parts.inDoubt(consumer, entry));
    }
  }
}
