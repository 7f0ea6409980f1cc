package dev.semel.cli.tui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.admin.KeyFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Every panel, tab and overlay as it is drawn, in {@code src/test/resources/frames}. With {@code
 * -Dsemel.frames=write} they are written anew; look at the difference before it is committed.
 */
class FramesTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "frames");

  static Map<String, Model> frames() {
    Map<String, Model> frames = new LinkedHashMap<>();
    frames.put("wide-148x42", Seen.model(148, 42));
    frames.put("wide-118x30", Seen.model(118, 30));
    frames.put("wide-200x60", Seen.model(200, 60));
    frames.put("wide-keys-148x42", Seen.pressed(Seen.model(148, 42), 'k', Press.Kind.DOWN));
    frames.put("wide-config-148x42", Seen.pressed(Seen.model(148, 42), 'c', Press.Kind.DOWN));
    for (Panel panel : Panel.values()) {
      String name = panel.name().toLowerCase(java.util.Locale.ROOT);
      frames.put("tab-" + name + "-80x24", Seen.model(80, 24).on(panel));
      frames.put("tab-" + name + "-52x40", Seen.model(52, 40).on(panel));
      frames.put("tab-" + name + "-40x12", Seen.model(40, 12).on(panel));
      frames.put("connecting-" + name + "-80x24", Model.begin(80, 24, Seen.NOW).on(panel));
    }
    waiting(frames);
    frames.put("hostile-80x24", Seen.model(80, 24, ShownTest.keys()).on(Panel.KEYS));
    frames.put("hostile-148x42", Seen.model(148, 42, ShownTest.keys()).on(Panel.KEYS));
    overlays(frames);
    Model away =
        Seen.after(
            Seen.model(118, 30).at(Seen.NOW.plusSeconds(40)),
            new Message.Failed(new Effect.Survey(), "the server can't be reached"));
    frames.put("away-118x30", away.at(Seen.NOW.plusSeconds(65)));
    frames.put("away-80x24", away.sized(80, 24).at(Seen.NOW.plusSeconds(65)));
    frames.put("too-small-30x8", Seen.model(30, 8));
    return frames;
  }

  /** More keys than were read, and someone who wants to go on. */
  private static void waiting(Map<String, Model> frames) {
    for (Model model : java.util.List.of(Seen.begun(148, 42), Seen.begun(80, 24))) {
      String size = model.width() + "x" + model.height();
      Model keys =
          Seen.after(
              model.on(Panel.KEYS),
              new Message.Paged(
                  KeyFilter.ALL, Seen.BEGINNING, Numbered.page(Seen.BEGINNING, 100_000)));
      Model wishing = keys;
      for (int i = 0; i < 250; i++) {
        wishing = Seen.pressed(wishing, Press.Kind.DOWN);
      }
      frames.put("loading-" + size, wishing);
      frames.put("to-the-end-" + size, Seen.pressed(keys, Press.Kind.END));
    }
  }

  private static void overlays(Map<String, Model> frames) {
    for (Model model : java.util.List.of(Seen.model(148, 42), Seen.model(80, 24))) {
      String size = model.width() + "x" + model.height();
      frames.put("help-" + size, Seen.pressed(model, 'h'));
      frames.put("details-" + size, Seen.details(model));
      frames.put("delete-" + size, Seen.pressed(Seen.details(model), 'd'));
      frames.put("edit-" + size, Seen.pressed(model, 'c', Press.Kind.ENTER, Press.Kind.DOWN, 'x'));
      frames.put("filter-" + size, Seen.pressed(model, '/', 'a', 'b'));
      frames.put(
          "reset-" + size,
          Seen.after(Seen.pressed(model, 'c'), new Message.Pressed(Press.control('r'))));
      frames.put("notice-" + size, Seen.pressed(model, 'f'));
    }
  }

  @Test
  void everyFrameIsAsItWas() throws IOException {
    boolean write = System.getProperty("semel.frames", "").equals("write");
    for (Map.Entry<String, Model> frame : frames().entrySet()) {
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
                  .allMatch(line -> Shown.width(line) <= model.width());
            });
  }
}
