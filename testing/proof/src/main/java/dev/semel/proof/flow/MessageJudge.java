package dev.semel.proof.flow;

import dev.semel.proof.RunFigure;
import dev.semel.proof.flow.FlowJudgement.Findings;
import dev.semel.proof.history.MessageChecker;
import dev.semel.proof.history.MessageChecker.Message;
import dev.semel.proof.history.MessageFault;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Judges whether messages that were written with a business row took effect correctly. The rows
 * decide what was committed; the answers to writers must agree with them.
 */
public final class MessageJudge {
  /** A writer's note before the transaction. */
  public static final String WRITES = "writes";

  public static final String COMMITTED = "told committed";
  public static final String ROLLED_BACK = "told rolled back";

  /** A writer's note when the answer was lost. */
  public static final String UNSURE = "told nothing";

  private static final String LOST = "every committed message takes effect";
  private static final String TWICE = "none takes effect twice";
  private static final String GHOST = "none takes effect that was not committed";
  private static final String ORDER = "those of a key take effect in its order";
  private static final String TRUE = "what a writer was told is so";

  private MessageJudge() {}

  /**
   * A business row.
   *
   * @param id of its message
   * @param key the messages of which are ordered
   */
  public record Order(String id, String key) {}

  /** An effect. */
  public record Done(String id, String who, long atNanos) {}

  /**
   * The database's contents at the end.
   *
   * @param orders in order within each key
   * @param effects in the order in which they happened
   * @param waiting ids that are still in the outbox
   * @param dead ids of dead letters
   */
  public record Ledger(
      List<Order> orders, List<Done> effects, List<String> waiting, List<String> dead) {
    public Ledger {
      orders = List.copyOf(orders);
      effects = List.copyOf(effects);
      waiting = List.copyOf(waiting);
      dead = List.copyOf(dead);
    }
  }

  /** Compares the committed messages with the effects. */
  public static FlowJudgement judge(List<ProcessNote> notes, Ledger ledger) {
    Findings found = new Findings(List.of(LOST, TWICE, GHOST, ORDER, TRUE));
    Map<String, String> told = told(notes);
    Set<String> waiting = new HashSet<>(ledger.waiting());
    List<Message> messages =
        ledger.orders().stream()
            .map(order -> new Message(order.id(), order.key(), !waiting.contains(order.id())))
            .toList();
    List<String> effects = ledger.effects().stream().map(Done::id).toList();
    for (MessageFault wrong : MessageChecker.wrong(messages, effects)) {
      switch (wrong.kind()) {
        case LOST -> found.add(LOST, wrong.id(), lost(wrong.id(), ledger));
        case TWICE -> found.add(TWICE, wrong.id(), wrong.what());
        case OUT_OF_ORDER -> found.add(ORDER, wrong.id(), wrong.what());
        case GHOST -> found.add(GHOST, wrong.id(), ghost(wrong.id(), told));
      }
    }
    untrue(told, ledger, found);
    return found.judgement(
        withEffects(notes, ledger), figures(told, ledger), unproved(ledger, waiting.size()));
  }

  /** The last answer to each writer's message. */
  private static Map<String, String> told(List<ProcessNote> notes) {
    Map<String, String> told = new LinkedHashMap<>();
    notes.forEach(note -> told.put(note.id(), note.what()));
    return told;
  }

  private static String lost(String id, Ledger ledger) {
    return id
        + (ledger.dead().contains(id)
            ? " was committed, and given up as a dead letter"
            : " was committed, left the outbox, and never took effect");
  }

  private static String ghost(String id, Map<String, String> told) {
    String word = told.getOrDefault(id, "");
    return word.isEmpty()
        ? id + " took effect, and no writer knows it"
        : "%s took effect, and its business row is not there (its writer was %s)"
            .formatted(id, word.equals(WRITES) ? "killed" : word);
  }

  private static void untrue(Map<String, String> told, Ledger ledger, Findings found) {
    Set<String> rows = new HashSet<>();
    ledger.orders().forEach(order -> rows.add(order.id()));
    told.forEach(
        (id, word) -> {
          if (word.equals(COMMITTED) && !rows.contains(id)) {
            found.add(TRUE, id, id + " was committed, as its writer was told, and its row is gone");
          } else if (word.equals(ROLLED_BACK) && rows.contains(id)) {
            found.add(
                TRUE, id, id + " was rolled back, as its writer was told, and its row is there");
          }
        });
  }

  private static List<ProcessNote> withEffects(List<ProcessNote> notes, Ledger ledger) {
    List<ProcessNote> all = new ArrayList<>(notes);
    ledger
        .effects()
        .forEach(e -> all.add(new ProcessNote(e.atNanos(), e.who(), "effect", e.id(), "")));
    all.sort(Comparator.comparingLong(ProcessNote::atNanos));
    return all;
  }

  private static List<RunFigure> figures(Map<String, String> told, Ledger ledger) {
    return List.of(
        new RunFigure("written", told.size(), "transactions with a message"),
        new RunFigure("committed", ledger.orders().size(), "committed"),
        new RunFigure("rolled_back", count(told, ROLLED_BACK), "rolled back"),
        new RunFigure("unsure", count(told, UNSURE), "writers got no answer"),
        new RunFigure("died", count(told, WRITES), "writers died before it"),
        new RunFigure("effects", ledger.effects().size(), "effects"),
        new RunFigure(
            "keys", ledger.orders().stream().map(Order::key).distinct().count(), "ordering keys"));
  }

  private static long count(Map<String, String> told, String word) {
    return told.values().stream().filter(word::equals).count();
  }

  private static Optional<String> unproved(Ledger ledger, int waiting) {
    if (ledger.orders().isEmpty()) {
      return Optional.of("No message was committed, so nothing is proved");
    }
    return waiting == 0
        ? Optional.empty()
        : Optional.of("%d messages were still in the outbox at the end".formatted(waiting));
  }
}
