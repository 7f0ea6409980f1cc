/**
 * What an engine brings so that {@link dev.semel.Semel#open} finds it by a URL.
 *
 * <p>Start at {@link dev.semel.engine.spi.EngineProvider}. A provider is named in {@code
 * META-INF/services}, so a program that leaves an engine's artifact out loads nothing of it.
 */
@NullMarked
package dev.semel.engine.spi;

import org.jspecify.annotations.NullMarked;
