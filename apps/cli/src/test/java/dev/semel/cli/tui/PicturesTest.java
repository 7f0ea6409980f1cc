package dev.semel.cli.tui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.tui.view.Palette;
import dev.semel.junit.ProjectRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The pictures in {@code docs/pictures} show the current screen. {@code -Dsemel.frames=write}
 * writes them anew.
 */
class PicturesTest {
  private static final Path FOLDER = ProjectRoot.resolve("docs/pictures");

  private static Map<String, String> pictures() {
    TuiModel wide = busy(Seen.model(148, 42));
    Palette light = Palette.of(Palette.Depth.FULL, true);
    Map<String, String> pictures = new LinkedHashMap<>();
    TuiModel keys = Seen.pressed(wide, 'k', KeyPress.Kind.DOWN);
    pictures.put("tui-dark.svg", ScreenSnapshot.picture(keys, Seen.dark()));
    pictures.put("tui-light.svg", ScreenSnapshot.picture(keys, light));
    pictures.put("tui-key.svg", ScreenSnapshot.picture(Seen.details(wide), Seen.dark()));
    pictures.put(
        "tui-settings.svg",
        ScreenSnapshot.picture(
            Seen.pressed(Seen.model(100, 30), 'c', KeyPress.Kind.ENTER, KeyPress.Kind.RIGHT),
            Seen.dark()));
    pictures.put("tui-80x24.svg", ScreenSnapshot.picture(Seen.model(80, 24), Seen.dark()));
    return pictures;
  }

  /** A relay that has worked for a while. */
  private static TuiModel busy(TuiModel model) {
    TuiModel busy = model;
    for (int i = 0; i < 60; i++) {
      busy = busy.rated(10 + (i * 7 % 11));
    }
    return busy;
  }

  @Test
  void theyShowWhatIsDrawnToday() throws IOException {
    boolean write = System.getProperty("semel.frames", "").equals("write");
    for (Map.Entry<String, String> picture : pictures().entrySet()) {
      Path file = FOLDER.resolve(picture.getKey());
      if (write) {
        Files.createDirectories(FOLDER);
        Files.writeString(file, picture.getValue());
      }
      assertThat(picture.getValue().equals(Files.readString(file)))
          .as("%s is as drawn: run with -Dsemel.frames=write", picture.getKey())
          .isTrue();
    }
  }
}
