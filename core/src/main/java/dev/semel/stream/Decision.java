package dev.semel.stream;

import java.util.List;

/**
 * What to write and then apply, in this order, and what to answer once that is done. Without
 * changes the answer stands at once.
 */
public record Decision<A extends Answer>(List<Change> changes, A answer) {
  static <A extends Answer> Decision<A> reply(A answer) {
    return new Decision<>(List.of(), answer);
  }

  static <A extends Answer> Decision<A> write(A answer, Change change) {
    return new Decision<>(List.of(change), answer);
  }
}
