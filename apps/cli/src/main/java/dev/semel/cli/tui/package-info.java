/**
 * The control center on a terminal. A {@link dev.semel.cli.tui.TuiModel} is everything to show;
 * only {@link dev.semel.cli.tui.Reducer} makes a new one, from the last one and a message; {@link
 * dev.semel.cli.tui.view.Screen} draws it and knows nothing else. A call of a store is a {@link
 * dev.semel.cli.tui.TuiEffect}, which runs beside the loop and comes back as a message. Start
 * reading at {@link dev.semel.cli.tui.Tui}.
 *
 * <p>Text from outside reaches the terminal only through {@link
 * dev.semel.cli.tui.view.TerminalText}, because the library below passes escape sequences on as
 * they are.
 */
@NullMarked
package dev.semel.cli.tui;

import org.jspecify.annotations.NullMarked;
