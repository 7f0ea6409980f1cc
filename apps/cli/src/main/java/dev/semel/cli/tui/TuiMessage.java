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

/** Something that happened; only messages change a screen. */
sealed interface TuiMessage {
  record Pressed(KeyPress press) implements TuiMessage {}

  record Resized(int width, int height) implements TuiMessage {}

  /** Time has passed. */
  record Ticked(Instant now) implements TuiMessage {}

  record Surveyed(OverviewData overview) implements TuiMessage {}

  /**
   * Events after a cursor.
   *
   * @param next cursor of the next read
   */
  record Heard(List<EventLine> lines, String next) implements TuiMessage {
    public Heard {
      lines = List.copyOf(lines);
    }
  }

  /** A requested page of the listing. */
  record Paged(KeyFilter filter, KeyPages.Ask ask, KeyPage page) implements TuiMessage {}

  /** Everything about one key; without a record, the key is gone. */
  record Opened(Key key, Optional<KeyRecord> record, KeyTimeline line) implements TuiMessage {}

  /** A change was made. */
  record Done(TuiEffect effect, String says) implements TuiMessage {}

  /** An effect failed. */
  record Failed(TuiEffect effect, String why) implements TuiMessage {}
}
