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
 * The terminal of this process, ours alone from {@link #enter} to {@link #close}. It is given back
 * as it was, also when the process is told to end.
 */
final class RawTerminal extends JLineBackend {
  /** Terminals that reorder text from right to left would move columns; this asks them not to. */
  private static final String AS_WRITTEN = "\u001b[8l";

  private static final String AS_BEFORE = "\u001b[8h";

  private @Nullable Attributes before;
  private boolean closed;

  private RawTerminal() throws IOException {}

  /**
   * Without the library's reads that can't wait for less than a tenth of a second: a key would be
   * drawn that much later, and one that is held down not before it is let go.
   */
  static RawTerminal open() throws IOException {
    System.setProperty(TerminalBuilder.PROP_NON_BLOCKING_READS, "false");
    return new RawTerminal();
  }

  /**
   * Without the question for grapheme clusters that the library asks here: terminals that do not
   * know it leave it waiting for half a second, and {@link TerminalText} lets none through that
   * matter.
   */
  @Override
  public void enableRawMode() {
    before = jlineTerminal().enterRawMode();
    Attributes raw = jlineTerminal().getAttributes();
    raw.setLocalFlag(LocalFlag.ISIG, false); // Ctrl-C is a key as others are
    // A read waits for a key, however long; the library's thread does it, and we wait for that.
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

  /** May be called again: by who used it, and by a process that ends. */
  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      writeRaw(AS_BEFORE);
      super.close();
    }
  }
}
