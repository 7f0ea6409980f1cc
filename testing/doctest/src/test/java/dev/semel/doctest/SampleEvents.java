package dev.semel.doctest;

import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.event.Event;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One event of every kind that there is. A new kind is among them by itself. */
final class SampleEvents {
  private SampleEvents() {}

  static List<Event> all() {
    List<Event> events = new ArrayList<>();
    for (Class<? extends Record> type : kinds(Event.class)) {
      events.add((Event) sample(type));
    }
    return events;
  }

  private static List<Class<? extends Record>> kinds(Class<?> type) {
    List<Class<? extends Record>> kinds = new ArrayList<>();
    for (Class<?> each : type.getPermittedSubclasses()) {
      if (each.isRecord()) {
        kinds.add(each.asSubclass(Record.class));
      } else {
        kinds.addAll(kinds(each));
      }
    }
    return kinds;
  }

  private static Object sample(Class<?> type) {
    if (type == String.class) {
      return "text";
    } else if (type == Key.class) {
      return Key.of("payments", "order-1");
    } else if (type == Operation.class) {
      return new Operation("payments");
    } else if (type == Duration.class) {
      return Duration.ofSeconds(3);
    } else if (type == FirstExecution.class) {
      return new FirstExecution("first", 1, Duration.ofSeconds(3), Duration.ofHours(23));
    } else if (type == boolean.class) {
      return true;
    } else if (type == int.class) {
      return 1;
    } else if (type == long.class) {
      return 1L;
    } else if (type == double.class) {
      return 1.0;
    } else if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    return made(type);
  }

  private static Object made(Class<?> type) {
    RecordComponent[] parts = type.getRecordComponents();
    try {
      var constructor =
          type.getDeclaredConstructor(
              Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new));
      return constructor.newInstance(
          Arrays.stream(parts).map(part -> sample(part.getType())).toArray());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no sample of " + type, e);
    }
  }
}
