package dev.semel.proof.fault;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A fault of one process, or of its connection to another, during a run. */
public enum ProcessFault {
  DELAY("everything arrives late"),
  CUT("connections break, and new ones are refused"),
  SILENT("connections stay open but carry nothing"),
  LOST_ANSWERS("requests arrive, their answers don't"),
  KILL("a process dies with kill -9 and is started again"),
  STOP("a process stands still for longer than its lease, then goes on");

  private final String meaning;

  ProcessFault(String meaning) {
    this.meaning = meaning;
  }

  /** The name on a command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String meaning() {
    return meaning;
  }

  /** Whether the fault needs a proxy between the worker and the store. */
  public boolean ofTheNetwork() {
    return this != KILL && this != STOP;
  }

  /**
   * Parses names separated by commas, or {@code all} or {@code none}.
   *
   * @throws InvalidInput with a list of the valid names
   */
  public static List<ProcessFault> parse(String text) {
    if (text.equals("all")) {
      return List.of(values());
    }
    if (text.equals("none")) {
      return List.of();
    }
    List<ProcessFault> faults = new ArrayList<>();
    for (String word : text.split(",", -1)) {
      ProcessFault fault =
          Arrays.stream(values())
              .filter(known -> known.word().equals(word.strip()))
              .findFirst()
              .orElseThrow(() -> unknown(word));
      if (!faults.contains(fault)) {
        faults.add(fault);
      }
    }
    return List.copyOf(faults);
  }

  private static InvalidInput unknown(String word) {
    return new InvalidInput(
        "there is no fault %s: there are %s, all and none"
            .formatted(
                PrintableText.quoted(word),
                Arrays.stream(values()).map(ProcessFault::word).collect(Collectors.joining(", "))));
  }
}
