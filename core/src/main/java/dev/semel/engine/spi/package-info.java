/**
 * What an engine implements so that {@link dev.semel.Semel#open} finds it by a URL.
 *
 * <p>Start at {@link dev.semel.engine.spi.EngineProvider}. {@code META-INF/services} names a
 * provider, so a program without an engine's artifact loads nothing of it.
 */
@NullMarked
package dev.semel.engine.spi;

import org.jspecify.annotations.NullMarked;
