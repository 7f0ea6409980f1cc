/**
 * The types for an adapter to an HTTP server or framework: it passes an {@link
 * dev.semel.http.spi.HttpRequest}, follows the {@link dev.semel.http.spi.HeadDecision}, and sends
 * an {@link dev.semel.http.spi.HttpAnswer}.
 */
@NullMarked
package dev.semel.http.spi;

import org.jspecify.annotations.NullMarked;
