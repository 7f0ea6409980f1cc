package dev.semel.cli;

import dev.semel.testservices.TmuxTerminal;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The control center in a real terminal. */
final class TuiProgram {
  private TuiProgram() {}

  static TmuxTerminal start(Path folder, int columns, int rows, Map<String, String> environment) {
    Map<String, String> all = new HashMap<>(environment);
    all.put("LC_ALL", "C.UTF-8");
    String command =
        "cd '%s' && '%s' -XX:TieredStopAtLevel=1 -Xmx128m --enable-native-access=ALL-UNNAMED -Dsemel.terminals=012 -cp '%s' %s tui"
            .formatted(
                folder,
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path"),
                Main.class.getName());
    return TmuxTerminal.start(columns, rows, all, command);
  }
}
