package dev.semel.cli.tui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.admin.KeyRecord;
import dev.semel.event.EventLine;
import java.util.List;
import org.junit.jupiter.api.Test;

class DuplicateFeedTest {
  @Test
  void lineThatIsReadTwiceCountsOnceAndTheNewestComesFirst() {
    List<KeyRecord> keys = Seen.keys();
    List<EventLine> lines = Seen.events(keys);
    DuplicateFeed once = DuplicateFeed.EMPTY.with(lines, "15");
    DuplicateFeed twice = once.with(lines.subList(5, 15), "16");
    assertThat(twice.newest()).hasSize(15).isEqualTo(once.newest());
    assertThat(twice.newest().getFirst().at().toEpochMilli()).isEqualTo(lines.getLast().atMillis());
    assertThat(twice.duplicatesOf(keys.getFirst().key().text())).isEqualTo(2);
    assertThat(twice.cursor()).isEqualTo("16");
  }

  @Test
  void itGrowsNoFurther() {
    List<EventLine> lines = new java.util.ArrayList<>();
    for (int i = 0; i < DuplicateFeed.MAX_KEYS + 500; i++) {
      EventLine line =
          new EventLine(
              "w",
              i + 1,
              i,
              "replayed",
              "default",
              "o",
              "{}",
              new EventLine.Personal("k" + i, "{}", "s"),
              "",
              "",
              "");
      lines.add(line);
    }
    DuplicateFeed feed = DuplicateFeed.EMPTY.with(lines, "c");
    assertThat(feed.newest()).hasSize(DuplicateFeed.MAX_SHOWN);
    assertThat(feed.byKey()).hasSize(DuplicateFeed.MAX_KEYS);
  }
}
