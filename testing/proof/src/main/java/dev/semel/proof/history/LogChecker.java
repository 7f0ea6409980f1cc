package dev.semel.proof.history;

import dev.semel.proof.history.MessageFault.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks a log against its producers' appends: it must hold every acknowledged entry once and in
 * its producer's order, unacknowledged ones at most once and in their place, and nothing else.
 */
public final class LogChecker {
  private LogChecker() {}

  /**
   * An append; a producer's appends are in the order in which it made them.
   *
   * @param entry unique in the run
   * @param acknowledged whether the log acknowledged it to the producer
   */
  public record Append(String producer, String entry, boolean acknowledged) {}

  /** One sentence for each fault; empty: none. */
  public static List<String> check(List<Append> appends, List<String> read) {
    return wrong(appends, read).stream().map(MessageFault::what).toList();
  }

  /** The faults, with the entry that each is about. */
  public static List<MessageFault> wrong(List<Append> appends, List<String> read) {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < appends.size(); i++) {
      if (places.putIfAbsent(appends.get(i).entry(), i) != null) {
        throw new IllegalArgumentException("appended twice: " + appends.get(i).entry());
      }
    }
    List<MessageFault> wrong = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    Map<String, Integer> latest = new HashMap<>();
    for (String entry : read) {
      Integer place = places.get(entry);
      if (place == null) {
        wrong.add(new MessageFault(Kind.GHOST, entry, "nobody appended " + entry));
      } else if (!seen.add(entry)) {
        wrong.add(
            new MessageFault(
                Kind.TWICE,
                entry,
                "%s of %s is there twice".formatted(entry, appends.get(place).producer())));
      } else {
        Append append = appends.get(place);
        int before = latest.getOrDefault(append.producer(), -1);
        if (before > place) {
          wrong.add(
              new MessageFault(
                  Kind.OUT_OF_ORDER,
                  entry,
                  "%s of %s comes after %s, which it appended later"
                      .formatted(entry, append.producer(), appends.get(before).entry())));
        }
        latest.merge(append.producer(), place, Math::max);
      }
    }
    appends.stream()
        .filter(append -> append.acknowledged() && !seen.contains(append.entry()))
        .map(
            a ->
                new MessageFault(
                    Kind.LOST,
                    a.entry(),
                    "%s of %s was acknowledged and is missing".formatted(a.entry(), a.producer())))
        .forEach(wrong::add);
    return wrong;
  }
}
