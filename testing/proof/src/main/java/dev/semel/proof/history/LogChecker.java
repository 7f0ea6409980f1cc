package dev.semel.proof.history;

import dev.semel.proof.history.MessageFault.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether what was read from a log is what its producers appended: all that was acknowledged once
 * and in each producer's order; what was not acknowledged at most once, in its place; nothing else.
 */
public final class LogChecker {
  private LogChecker() {}

  /**
   * An append, in the order in which its producer made them.
   *
   * @param entry unlike every other of the run
   * @param acknowledged whether the producer was told that it is in the log
   */
  public record Append(String producer, String entry, boolean acknowledged) {}

  /** One sentence for each thing that is wrong; empty where nothing is. */
  public static List<String> check(List<Append> appends, List<String> read) {
    return wrong(appends, read).stream().map(MessageFault::what).toList();
  }

  /** The same, with the entry it is about. */
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
