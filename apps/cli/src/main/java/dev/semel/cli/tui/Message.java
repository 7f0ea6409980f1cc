package dev.semel.cli.tui;

import dev.semel.Key;
import dev.semel.admin.ControlCenter.KeyPage;
import dev.semel.admin.KeyFilter;
import dev.semel.admin.KeyRecord;
import dev.semel.admin.KeyTimeline;
import dev.semel.event.EventLine;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Something that happened; the only reason for which a screen changes. */
sealed interface Message {
  record Pressed(Press press) implements Message {}

  record Resized(int width, int height) implements Message {}

  /** Time went on. */
  record Ticked(Instant now) implements Message {}

  record Surveyed(Overview overview) implements Message {}

  /**
   * Events after a cursor.
   *
   * @param next where to read on
   */
  record Heard(List<EventLine> lines, String next) implements Message {
    public Heard {
      lines = List.copyOf(lines);
    }
  }

  /** A page of the listing that was asked for. */
  record Paged(KeyFilter filter, Pages.Ask ask, KeyPage page) implements Message {}

  /** All about one key; without a record: it is gone. */
  record Opened(Key key, Optional<KeyRecord> record, KeyTimeline line) implements Message {}

  /** A change was made. */
  record Done(Effect effect, String says) implements Message {}

  /** What was asked for did not work. */
  record Failed(Effect effect, String why) implements Message {}
}
