package dev.semel.cli.tui;

import dev.semel.cli.tui.view.TerminalText;
import dev.tamboui.backend.jline3.JLineBackend;
import java.io.IOException;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.ControlChar;
import org.jline.terminal.Attributes.LocalFlag;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The terminal of this process, used exclusively from {@link #enter} to {@link #close}. It gets its
 * old state back, also if a signal ends the process.
 */
final class RawTerminal extends JLineBackend {
  /** Asks terminals not to reorder text from right to left, which would move columns. */
  private static final String AS_WRITTEN = "\u001b[8l";

  private static final String AS_BEFORE = "\u001b[8h";

  private @Nullable Attributes before;
  private boolean closed;

  private RawTerminal() throws IOException {}

  /**
   * Turns off the library's non-blocking reads, which wait at least a tenth of a second: a key
   * would be drawn that much later, and one that is held down only when it is released.
   */
  static RawTerminal open() throws IOException {
    System.setProperty(TerminalBuilder.PROP_NON_BLOCKING_READS, "false");
    return new RawTerminal();
  }

  /**
   * Leaves out the library's question for grapheme clusters: terminals that do not know it make the
   * library wait for half a second, and {@link TerminalText} lets no clusters through that matter.
   */
  @Override
  public void enableRawMode() {
    before = jlineTerminal().enterRawMode();
    Attributes raw = jlineTerminal().getAttributes();
    raw.setLocalFlag(LocalFlag.ISIG, false); // Ctrl-C is a key like others
    // A read waits for a key without limit; the library's thread waits in it, and we wait for that
    // thread.
    raw.setControlChar(ControlChar.VMIN, 1);
    raw.setControlChar(ControlChar.VTIME, 0);
    jlineTerminal().setAttributes(raw);
  }

  @Override
  public void disableRawMode() {
    if (before != null) {
      jlineTerminal().setAttributes(before);
    }
  }

  void enter() throws IOException {
    enableRawMode();
    enterAlternateScreen();
    hideCursor();
    writeRaw(AS_WRITTEN);
    flush();
  }

  /** May be called twice: after use, and when the process ends. */
  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      writeRaw(AS_BEFORE);
      super.close();
    }
  }
}
