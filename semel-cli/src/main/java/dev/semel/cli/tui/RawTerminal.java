package dev.semel.cli.tui;

import dev.tamboui.backend.jline3.JLineBackend;
import java.io.IOException;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.LocalFlag;
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

  RawTerminal() throws IOException {}

  /**
   * Without the question for grapheme clusters that the library asks here: terminals that do not
   * know it leave it waiting for half a second, and {@link Shown} lets none through that matter.
   */
  @Override
  public void enableRawMode() {
    before = jlineTerminal().enterRawMode();
    Attributes raw = jlineTerminal().getAttributes();
    raw.setLocalFlag(LocalFlag.ISIG, false); // Ctrl-C is a key as others are
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
