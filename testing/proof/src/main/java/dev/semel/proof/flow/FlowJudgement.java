package dev.semel.proof.flow;

import dev.semel.proof.RunFigure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The judgement on all messages or entries of a run.
 *
 * @param notes of the wrong ones, by id and in order of time
 * @param unproved why it is unknown whether the promise held; empty: it is known
 */
public record FlowJudgement(
    List<Promise> promises,
    Map<String, List<ProcessNote>> notes,
    List<RunFigure> figures,
    Optional<String> unproved) {
  public FlowJudgement {
    promises = List.copyOf(promises);
    notes = Map.copyOf(notes);
    figures = List.copyOf(figures);
  }

  /** A promise, and the findings that break it. */
  public record Promise(String promise, List<Finding> broken) {
    public Promise {
      broken = List.copyOf(broken);
    }
  }

  /**
   * One thing that broke a promise.
   *
   * @param id of the message or entry
   * @param what one sentence
   */
  public record Finding(String promise, String id, String what) {}

  /** All findings about one message or entry. */
  public record Example(String id, List<Finding> findings, List<ProcessNote> notes) {
    public Example {
      findings = List.copyOf(findings);
      notes = List.copyOf(notes);
    }
  }

  /** Collects findings, under promises in a given order. */
  static final class Findings {
    private final Map<String, List<Finding>> byPromise = new LinkedHashMap<>();

    Findings(List<String> promises) {
      promises.forEach(promise -> byPromise.put(promise, new ArrayList<>()));
    }

    void add(String promise, String id, String what) {
      byPromise
          .computeIfAbsent(promise, p -> new ArrayList<>())
          .add(new Finding(promise, id, what));
    }

    /**
     * The judgement, with the notes about each wrong message or entry.
     *
     * @param all all notes of the run, in order of time
     */
    FlowJudgement judgement(
        List<ProcessNote> all, List<RunFigure> figures, Optional<String> unproved) {
      Set<String> wrong = new LinkedHashSet<>();
      byPromise.values().forEach(found -> found.forEach(finding -> wrong.add(finding.id())));
      Map<String, List<ProcessNote>> notes = new LinkedHashMap<>();
      for (ProcessNote note : all) {
        if (wrong.contains(note.id())) {
          notes.computeIfAbsent(note.id(), id -> new ArrayList<>()).add(note);
        }
      }
      List<Promise> promises = new ArrayList<>();
      byPromise.forEach((promise, found) -> promises.add(new Promise(promise, found)));
      return new FlowJudgement(promises, notes, figures, unproved);
    }
  }

  public List<Finding> findings() {
    return promises.stream().flatMap(promise -> promise.broken().stream()).toList();
  }

  /** The findings, grouped by message or entry. */
  public List<Example> examples() {
    Map<String, List<Finding>> byId = new LinkedHashMap<>();
    findings().forEach(f -> byId.computeIfAbsent(f.id(), id -> new ArrayList<>()).add(f));
    return byId.entrySet().stream()
        .map(e -> new Example(e.getKey(), e.getValue(), notes.getOrDefault(e.getKey(), List.of())))
        .toList();
  }
}
