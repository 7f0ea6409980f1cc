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
sealed interface TuiMessage {
  record Pressed(KeyPress press) implements TuiMessage {}

  record Resized(int width, int height) implements TuiMessage {}

  /** Time went on. */
  record Ticked(Instant now) implements TuiMessage {}

  record Surveyed(OverviewData overview) implements TuiMessage {}

  /**
   * Events after a cursor.
   *
   * @param next where to read on
   */
  record Heard(List<EventLine> lines, String next) implements TuiMessage {
    public Heard {
      lines = List.copyOf(lines);
    }
  }

  /** A page of the listing that was asked for. */
  record Paged(KeyFilter filter, KeyPages.Ask ask, KeyPage page) implements TuiMessage {}

  /** All about one key; without a record: it is gone. */
  record Opened(Key key, Optional<KeyRecord> record, KeyTimeline line) implements TuiMessage {}

  /** A change was made. */
  record Done(TuiEffect effect, String says) implements TuiMessage {}

  /** What was asked for did not work. */
  record Failed(TuiEffect effect, String why) implements TuiMessage {}
}
