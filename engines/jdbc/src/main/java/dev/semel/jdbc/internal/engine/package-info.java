/** SQL databases opened by URL: {@code sqlite:}, {@code postgresql:} and {@code mariadb:}. */
@NullMarked
package dev.semel.jdbc.internal.engine;

import org.jspecify.annotations.NullMarked;
