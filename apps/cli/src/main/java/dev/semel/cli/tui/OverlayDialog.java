package dev.semel.cli.tui;

import dev.semel.Key;
import dev.semel.admin.KeyRecord;
import dev.semel.admin.KeyTimeline;
import java.time.Instant;
import java.util.Optional;

/** A dialog that covers the panels and has the keyboard. */
public sealed interface OverlayDialog {
  record None() implements OverlayDialog {}

  record Help() implements OverlayDialog {}

  /** The user types a filter. */
  record Filtering(String text, String before) implements OverlayDialog {}

  /**
   * Shows one key.
   *
   * @param line empty: it is being read
   * @param readAt when the record was read
   * @param scroll number of timeline entries above the first shown one
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
   * @param back the dialog to show if the answer is no
   */
  record Confirm(String question, String consequence, TuiEffect effect, OverlayDialog back)
      implements OverlayDialog {}

  /** Edits an operation's settings. */
  record Editing(SettingsForm form) implements OverlayDialog {}
}
