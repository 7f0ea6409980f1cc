package dev.semel.cli.tui;

import dev.semel.Key;
import dev.semel.admin.KeyRecord;
import dev.semel.admin.KeyTimeline;
import java.time.Instant;
import java.util.Optional;

/** What lies over the panels and has the keyboard. */
public sealed interface OverlayDialog {
  record None() implements OverlayDialog {}

  record Help() implements OverlayDialog {}

  /** A filter is being typed. */
  record Filtering(String text, String before) implements OverlayDialog {}

  /**
   * One key.
   *
   * @param line empty: it is being read
   * @param readAt when the record was read
   * @param scroll how many moments of its life are above the first one shown
   */
  record Details(
      Key key, Optional<KeyRecord> record, Optional<KeyTimeline> line, Instant readAt, int scroll)
      implements OverlayDialog {
    Details scrolled(int by) {
      int most = line.map(there -> there.moments().size() - 1).orElse(0);
      return new Details(key, record, line, readAt, Math.clamp(scroll + by, 0, Math.max(0, most)));
    }
  }

  /**
   * Asks before something that can't be taken back.
   *
   * @param back what is shown when it is not to be done
   */
  record Confirm(String question, String consequence, TuiEffect effect, OverlayDialog back)
      implements OverlayDialog {}

  /** An operation's settings. */
  record Editing(SettingsForm form) implements OverlayDialog {}
}
