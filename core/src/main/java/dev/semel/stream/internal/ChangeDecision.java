package dev.semel.stream.internal;

import dev.semel.stream.spi.StreamResult;
import java.util.List;

/**
 * The changes to write and then apply, in this order, and the answer once that is done. Without
 * changes the answer holds at once.
 */
public record ChangeDecision<A extends StreamResult>(List<StreamChange> changes, A answer) {
  static <A extends StreamResult> ChangeDecision<A> reply(A answer) {
    return new ChangeDecision<>(List.of(), answer);
  }

  static <A extends StreamResult> ChangeDecision<A> write(A answer, StreamChange change) {
    return new ChangeDecision<>(List.of(change), answer);
  }
}
