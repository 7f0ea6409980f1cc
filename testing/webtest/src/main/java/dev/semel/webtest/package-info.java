/**
 * Tests of the control center's page: a real browser and a real server, with a real application on
 * a real database; and of the site of the documentation. Nothing here is published.
 *
 * <p>One smoke test is in the gate; the rest is tagged {@code proof}.
 */
@NullMarked
package dev.semel.webtest;

import org.jspecify.annotations.NullMarked;
