package dev.semel.cli.tui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.admin.KeyFilter;
import dev.semel.cli.tui.view.TerminalText;
import dev.semel.cli.tui.view.TerminalTextTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Every panel, tab and overlay as it is drawn, in {@code src/test/resources/frames}. {@code
 * -Dsemel.frames=write} writes them anew; look at the difference before you commit it.
 */
class FramesTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "frames");

  static Map<String, TuiModel> frames() {
    Map<String, TuiModel> frames = new LinkedHashMap<>();
    frames.put("wide-148x42", Seen.model(148, 42));
    frames.put("wide-118x30", Seen.model(118, 30));
    frames.put("wide-200x60", Seen.model(200, 60));
    frames.put("wide-keys-148x42", Seen.pressed(Seen.model(148, 42), 'k', KeyPress.Kind.DOWN));
    frames.put("wide-config-148x42", Seen.pressed(Seen.model(148, 42), 'c', KeyPress.Kind.DOWN));
    for (Panel panel : Panel.values()) {
      String name = panel.name().toLowerCase(java.util.Locale.ROOT);
      frames.put("tab-" + name + "-80x24", Seen.model(80, 24).on(panel));
      frames.put("tab-" + name + "-52x40", Seen.model(52, 40).on(panel));
      frames.put("tab-" + name + "-40x12", Seen.model(40, 12).on(panel));
      frames.put("connecting-" + name + "-80x24", TuiModel.begin(80, 24, Seen.NOW).on(panel));
    }
    waiting(frames);
    frames.put("hostile-80x24", Seen.model(80, 24, TerminalTextTest.keys()).on(Panel.KEYS));
    frames.put("hostile-148x42", Seen.model(148, 42, TerminalTextTest.keys()).on(Panel.KEYS));
    overlays(frames);
    TuiModel away =
        Seen.after(
            Seen.model(118, 30).at(Seen.NOW.plusSeconds(40)),
            new TuiMessage.Failed(new TuiEffect.Survey(), "the server can't be reached"));
    frames.put("away-118x30", away.at(Seen.NOW.plusSeconds(65)));
    frames.put("away-80x24", away.sized(80, 24).at(Seen.NOW.plusSeconds(65)));
    frames.put("too-small-30x8", Seen.model(30, 8));
    return frames;
  }

  /** More keys than were read, and a user who wants to go on. */
  private static void waiting(Map<String, TuiModel> frames) {
    for (TuiModel model : java.util.List.of(Seen.begun(148, 42), Seen.begun(80, 24))) {
      String size = model.width() + "x" + model.height();
      TuiModel keys =
          Seen.after(
              model.on(Panel.KEYS),
              new TuiMessage.Paged(
                  KeyFilter.ALL, Seen.BEGINNING, Numbered.page(Seen.BEGINNING, 100_000)));
      TuiModel wishing = keys;
      for (int i = 0; i < 250; i++) {
        wishing = Seen.pressed(wishing, KeyPress.Kind.DOWN);
      }
      frames.put("loading-" + size, wishing);
      frames.put("to-the-end-" + size, Seen.pressed(keys, KeyPress.Kind.END));
    }
  }

  private static void overlays(Map<String, TuiModel> frames) {
    for (TuiModel model : java.util.List.of(Seen.model(148, 42), Seen.model(80, 24))) {
      String size = model.width() + "x" + model.height();
      frames.put("help-" + size, Seen.pressed(model, 'h'));
      frames.put("details-" + size, Seen.details(model));
      frames.put("delete-" + size, Seen.pressed(Seen.details(model), 'd'));
      frames.put(
          "edit-" + size, Seen.pressed(model, 'c', KeyPress.Kind.ENTER, KeyPress.Kind.DOWN, 'x'));
      frames.put("filter-" + size, Seen.pressed(model, '/', 'a', 'b'));
      frames.put(
          "reset-" + size,
          Seen.after(Seen.pressed(model, 'c'), new TuiMessage.Pressed(KeyPress.control('r'))));
      frames.put("notice-" + size, Seen.pressed(model, 'f'));
    }
  }

  @Test
  void everyFrameIsAsItWas() throws IOException {
    boolean write = System.getProperty("semel.frames", "").equals("write");
    for (Map.Entry<String, TuiModel> frame : frames().entrySet()) {
      Path file = FOLDER.resolve(frame.getKey() + ".txt");
      String drawn = Seen.text(frame.getValue());
      if (write) {
        Files.createDirectories(FOLDER);
        Files.writeString(file, drawn);
      }
      assertThat(drawn).as(frame.getKey()).isEqualTo(Files.readString(file));
    }
  }

  @Test
  void everyLineHasTheWidthOfTheTerminalAtMost() {
    frames()
        .forEach(
            (name, model) -> {
              assertThat(Seen.lines(model)).as(name).hasSize(model.height());
              assertThat(Seen.lines(model))
                  .as(name)
                  .allMatch(line -> TerminalText.width(line) <= model.width());
            });
  }
}
