package dev.semel.jdbc.internal.outbox;

import dev.semel.InvalidInput;
import dev.semel.outbox.spi.OutboxOperations.Filter;
import dev.semel.outbox.spi.OutboxOperations.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The table for messages of a state, and how a filter selects from it. */
public enum OutboxTable {
  PENDING("semel_outbox", "created_millis"),
  DEAD("semel_outbox_dead", "since_millis"),
  PUBLISHED("semel_outbox_history", "since_millis");

  private final String table;
  private final String since;

  OutboxTable(String table, String since) {
    this.table = table;
    this.since = since;
  }

  static OutboxTable of(State state) {
    return switch (state) {
      case PENDING -> PENDING;
      case DEAD -> DEAD;
      case PUBLISHED -> PUBLISHED;
    };
  }

  String table() {
    return table;
  }

  String since() {
    return since;
  }

  /** A condition with its parameter values. */
  record Choice(String condition, List<Object> values) {
    Choice {
      values = List.copyOf(values);
    }

    Choice and(String further, Object... moreValues) {
      List<Object> all = new ArrayList<>(values);
      all.addAll(List.of(moreValues));
      return new Choice(condition + " AND " + further, all);
    }

    /** The values, followed by these. */
    Object[] with(Object... last) {
      List<Object> all = new ArrayList<>(values);
      all.addAll(List.of(last));
      return all.toArray();
    }
  }

  /** The filter's condition, from a place on. */
  Choice choose(Filter filter, long after) {
    Choice choice = new Choice("place > ?", List.of(after));
    if (!filter.destination().isEmpty()) {
      choice = choice.and("destination = ?", filter.destination());
    }
    if (filter.id().isPresent()) {
      choice = choice.and("id = ?", filter.id().get());
    }
    if (filter.from().isPresent()) {
      choice = choice.and(since + " >= ?", millis(filter.from().get()));
    }
    if (filter.until().isPresent()) {
      choice = choice.and(since + " < ?", millis(filter.until().get()));
    }
    return choice;
  }

  private static long millis(Instant instant) {
    try {
      return instant.toEpochMilli();
    } catch (ArithmeticException e) {
      throw new InvalidInput("the time is too far away: give one of this age");
    }
  }
}
