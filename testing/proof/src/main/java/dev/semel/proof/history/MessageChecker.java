package dev.semel.proof.history;

import dev.semel.proof.history.MessageFault.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks messages: each took effect once, those of one ordering key in the order of their
 * publication, and in the end all that were acknowledged.
 */
public final class MessageChecker {
  private MessageChecker() {}

  /**
   * A message; those of one ordering key are in the order of their publication.
   *
   * @param orderingKey empty: no order
   * @param acknowledged whether the publisher got a confirmation
   */
  public record Message(String id, String orderingKey, boolean acknowledged) {}

  /** One sentence for each fault; empty: none. */
  public static List<String> check(List<Message> published, List<String> effects) {
    return wrong(published, effects).stream().map(MessageFault::what).toList();
  }

  /** The faults, with the message that each is about. */
  public static List<MessageFault> wrong(List<Message> published, List<String> effects) {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < published.size(); i++) {
      if (places.putIfAbsent(published.get(i).id(), i) != null) {
        throw new IllegalArgumentException("published twice: " + published.get(i).id());
      }
    }
    List<MessageFault> wrong = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    Map<String, Integer> latest = new HashMap<>();
    for (String id : effects) {
      Integer place = places.get(id);
      if (place == null) {
        wrong.add(new MessageFault(Kind.GHOST, id, "nobody published " + id));
      } else if (!seen.add(id)) {
        wrong.add(new MessageFault(Kind.TWICE, id, id + " took effect twice"));
      } else {
        outOfOrder(published, place, latest, wrong);
      }
    }
    published.stream()
        .filter(message -> message.acknowledged() && !seen.contains(message.id()))
        .map(Message::id)
        .map(id -> new MessageFault(Kind.LOST, id, id + " was acknowledged and never took effect"))
        .forEach(wrong::add);
    return wrong;
  }

  private static void outOfOrder(
      List<Message> published, int place, Map<String, Integer> latest, List<MessageFault> wrong) {
    Message message = published.get(place);
    if (message.orderingKey().isEmpty()) {
      return;
    }
    int before = latest.getOrDefault(message.orderingKey(), -1);
    if (before > place) {
      wrong.add(
          new MessageFault(
              Kind.OUT_OF_ORDER,
              message.id(),
              "%s of %s took effect after %s, which was published later"
                  .formatted(message.id(), message.orderingKey(), published.get(before).id())));
    }
    latest.merge(message.orderingKey(), place, Math::max);
  }
}
