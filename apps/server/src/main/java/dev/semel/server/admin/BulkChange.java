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

/** A change of many entries: it runs only if the caller states how many it expects to change. */
final class BulkChange {
  private BulkChange() {}

  /**
   * @param done the count's name in the answer, such as {@code deleted}
   * @param count counts the entries that the change would affect
   * @param act applies the change, given the expected number, and returns how many entries it
   *     changed
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

  /** Compares the numbers first, for a change that takes no expected number. */
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

  /** Refuses parameters of bulk changes in a change of one entry, which would ignore them. */
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
