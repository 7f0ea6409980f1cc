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
 * Reads life lines from wherever there is something of a key. What is not there, such as an outbox
 * beside a store that has none, is left out. Safe for use by many threads.
 */
final class KeyTimelines {
  /** So many events of a key are shown at most: the newest. */
  public static final int MAX_EVENTS = EventStore.MAX_PAGE;

  /** So many of a key's messages are shown at most. */
  public static final int MAX_MESSAGES = 1000;

  private final Store store;
  private final Optional<OutboxOperations> outbox;
  private final Optional<InboxOperations> inbox;
  private final Optional<JobOperations> jobs;

  /** With all that there is. */
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

  /** As far as it is known now. Nothing is changed. */
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

  /** What operators did to it is no line about a key, but names it; the newest are looked at. */
  private List<EventLine> changes(Key key) {
    return store.events().latest(EventStore.MAX_PAGE).stream()
        .filter(line -> line.kind().equals("changed"))
        .filter(line -> KeyTimeline.Parts.facts(line).getOrDefault("target", "").equals(key.text()))
        .toList();
  }

  /** Which consumers heard which messages, events have told. */
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
