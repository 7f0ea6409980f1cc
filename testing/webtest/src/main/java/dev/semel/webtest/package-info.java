/**
 * The control center's page as people meet it: a real browser before a real server, which looks at
 * what a real application does on a real database. And the documentation's site, as its command
 * builds it. Nothing here is published.
 *
 * <p>One smoke test is in the gate; the rest is tagged {@code proof}.
 */
@NullMarked
package dev.semel.webtest;

import org.jspecify.annotations.NullMarked;
