/**
 * Draws the control center: each type turns a part of the model into text on a {@link
 * dev.semel.cli.tui.view.Canvas}. Pure functions.
 */
@NullMarked
package dev.semel.cli.tui.view;

import org.jspecify.annotations.NullMarked;
