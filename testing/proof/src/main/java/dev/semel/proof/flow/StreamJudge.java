package dev.semel.proof.flow;

import dev.semel.proof.RunFigure;
import dev.semel.proof.flow.FlowJudgement.Findings;
import dev.semel.proof.history.LogChecker;
import dev.semel.proof.history.LogChecker.Append;
import dev.semel.proof.history.MessageFault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Judges whether streams hold exactly what was appended. An entry is {@code producer/claim/number}:
 * the producer's id, the number of the takeover of that id, and the number of the entry since then.
 */
public final class StreamJudge {
  /** A client's note before an append; its detail is the stream. */
  public static final String APPENDS = "appends";

  public static final String ACKNOWLEDGED = "acknowledged";

  /** A client's note when it learned that another one had replaced it. */
  public static final String FENCED_OFF = "fenced";

  private static final String LOST = "nothing acknowledged is lost";
  private static final String TWICE = "nothing is there twice";
  private static final String ORDER = "what one producer appended is in its order";
  private static final String GHOST = "nothing is there that nobody appended";
  private static final String FENCED = "who was replaced appends no more";
  private static final String RACE = "each race has one winner";
  private static final String SAME = "every server shows the same";

  private StreamJudge() {}

  /** An entry of the stream that writers race for, and the position that they raced for. */
  public record Place(String entry, long place) {}

  /**
   * The streams' contents at the end.
   *
   * @param lines entries by stream
   * @param race the stream that writers raced for
   * @param differing streams that another server showed differently: a sentence by stream name
   * @param unread why something was unreadable; empty: everything was read
   */
  public record Harvest(
      Map<String, List<String>> lines,
      List<Place> race,
      Map<String, String> differing,
      Optional<String> unread) {
    public Harvest {
      lines = Map.copyOf(lines);
      race = List.copyOf(race);
      differing = Map.copyOf(differing);
    }
  }

  /**
   * Compares the appended entries with the streams' contents.
   *
   * @param raced the name of the stream that writers race for
   */
  public static FlowJudgement judge(List<ProcessNote> notes, String raced, Harvest harvest) {
    Findings found = new Findings(List.of(LOST, TWICE, ORDER, GHOST, FENCED, RACE, SAME));
    Map<String, List<Append>> appends = appends(notes);
    if (harvest.unread().isEmpty()) {
      Map<String, List<String>> read = new HashMap<>(harvest.lines());
      read.put(raced, harvest.race().stream().map(Place::entry).toList());
      appends.keySet().forEach(stream -> read.putIfAbsent(stream, List.of()));
      read.forEach(
          (stream, entries) -> {
            wrong(appends.getOrDefault(stream, List.of()), entries, found);
            if (!stream.equals(raced)) {
              fenced(entries, found);
            }
          });
      races(harvest.race(), found);
      harvest.differing().forEach((stream, what) -> found.add(SAME, stream, what));
    }
    return found.judgement(notes, figures(notes, harvest), unproved(notes, harvest));
  }

  private static Optional<String> unproved(List<ProcessNote> notes, Harvest harvest) {
    return harvest.unread().isEmpty() && count(notes, ACKNOWLEDGED) == 0
        ? Optional.of("Nothing was acknowledged, so nothing is proved")
        : harvest.unread();
  }

  private static Map<String, List<Append>> appends(List<ProcessNote> notes) {
    Set<String> acknowledged = new HashSet<>();
    for (ProcessNote note : notes) {
      if (note.what().equals(ACKNOWLEDGED)) {
        acknowledged.add(note.id());
      }
    }
    Map<String, List<Append>> appends = new HashMap<>();
    for (ProcessNote note : notes) {
      if (note.what().equals(APPENDS)) {
        appends
            .computeIfAbsent(note.detail(), stream -> new ArrayList<>())
            .add(new Append(claim(note.id()), note.id(), acknowledged.contains(note.id())));
      }
    }
    return appends;
  }

  private static String claim(String entry) {
    return entry.substring(0, Math.max(0, entry.lastIndexOf('/')));
  }

  private static String producer(String entry) {
    return entry.substring(0, Math.max(0, entry.indexOf('/')));
  }

  private static void wrong(List<Append> appends, List<String> read, Findings found) {
    for (MessageFault wrong : LogChecker.wrong(appends, read)) {
      String promise =
          switch (wrong.kind()) {
            case LOST -> LOST;
            case TWICE -> TWICE;
            case OUT_OF_ORDER -> ORDER;
            case GHOST -> GHOST;
          };
      found.add(promise, wrong.id(), wrong.what());
    }
  }

  /** Once a producer's id was taken over, no entry from before may follow. */
  private static void fenced(List<String> read, Findings found) {
    Map<String, String> current = new HashMap<>();
    Set<String> over = new HashSet<>();
    for (String entry : read) {
      String claim = claim(entry);
      String before = current.put(producer(entry), claim);
      if (before != null && !before.equals(claim)) {
        over.add(before);
        if (over.contains(claim)) {
          found.add(
              FENCED,
              entry,
              "%s was appended after %s had taken its place".formatted(entry, before));
        }
      }
    }
  }

  private static void races(List<Place> race, Findings found) {
    Map<Long, String> winners = new HashMap<>();
    for (int i = 0; i < race.size(); i++) {
      Place each = race.get(i);
      String other = winners.putIfAbsent(each.place(), each.entry());
      if (other != null) {
        found.add(
            RACE,
            each.entry(),
            "%s and %s both won place %d".formatted(other, each.entry(), each.place()));
      } else if (each.place() != i) {
        found.add(
            RACE,
            each.entry(),
            "%s won place %d, and is at place %d".formatted(each.entry(), each.place(), i));
      }
    }
  }

  private static List<RunFigure> figures(List<ProcessNote> notes, Harvest harvest) {
    long appended = count(notes, APPENDS);
    long acknowledged = count(notes, ACKNOWLEDGED);
    return List.of(
        new RunFigure("appended", appended, "appends"),
        new RunFigure("acknowledged", acknowledged, "acknowledged"),
        new RunFigure("unanswered", appended - acknowledged, "without an answer, or refused"),
        new RunFigure("fenced", count(notes, FENCED_OFF), "producers told that they were replaced"),
        new RunFigure(
            "read", harvest.lines().values().stream().mapToLong(List::size).sum(), "entries read"),
        new RunFigure("races", harvest.race().size(), "races decided"));
  }

  private static long count(List<ProcessNote> notes, String what) {
    return notes.stream().filter(note -> note.what().equals(what)).count();
  }
}
