/**
 * The control center on a terminal. A {@link dev.semel.cli.tui.TuiModel} is all that there is to
 * show; {@link dev.semel.cli.tui.Reducer} is the only place that makes a new one, from the last one
 * and a message; {@link dev.semel.cli.tui.Screen} draws it and knows nothing else. What has to be
 * asked of a store is an {@link dev.semel.cli.tui.TuiEffect}, done beside the loop, and comes back
 * as a message. Start reading at {@link dev.semel.cli.tui.Tui}.
 *
 * <p>Text from outside reaches the terminal only through {@link dev.semel.cli.tui.TerminalText}:
 * the library below passes escape sequences on as they are.
 */
@NullMarked
package dev.semel.cli.tui;

import org.jspecify.annotations.NullMarked;
