package dev.semel.server.admin;

import dev.semel.InvalidInput;
import dev.semel.admin.EditConflict;
import dev.semel.admin.document.internal.ActionParameter;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/** A change of many at once: done only for who knows how many. */
final class BulkChange {
  private BulkChange() {}

  /**
   * @param done what it is called, such as {@code deleted}
   * @param count how many it would touch
   * @param act does it, and says how many it touched; given what was expected
   */
  static JsonObjectBuilder confirmed(
      AdminRequest asked, String done, LongSupplier count, LongUnaryOperator act) {
    if (asked.flag(ActionParameter.DRY_RUN.name())) {
      return Json.object().with("dry_run", true).with("count", count.getAsLong());
    }
    long expected =
        asked
            .number(ActionParameter.EXPECT.name())
            .orElseThrow(
                () ->
                    new InvalidInput(
                        "this may touch many: ask with dry_run=true how many, then repeat it with expect=that number"));
    return Json.object().with(done, act.applyAsLong(expected));
  }

  /** The same where the change itself takes no number. */
  static JsonObjectBuilder compared(
      AdminRequest asked, String done, LongSupplier count, LongSupplier act) {
    return confirmed(
        asked,
        done,
        count,
        expected -> {
          long there = count.getAsLong();
          if (there != expected) {
            throw EditConflict.counted(there, expected);
          }
          return act.getAsLong();
        });
  }

  /** What is for many is refused where one is meant: it would be passed over without a word. */
  static void refuse(AdminRequest asked, String... filters) {
    List<String> forMany =
        new ArrayList<>(List.of(ActionParameter.DRY_RUN.name(), ActionParameter.EXPECT.name()));
    forMany.addAll(List.of(filters));
    for (String each : forMany) {
      if (asked.find(each).isPresent()) {
        throw new InvalidInput("a payload is for one dead letter: leave %s out".formatted(each));
      }
    }
  }
}
