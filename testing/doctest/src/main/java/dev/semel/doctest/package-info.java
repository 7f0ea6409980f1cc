/**
 * Tests that compare the documentation with the code; this module has nothing else. {@code Book}
 * has the pages; each test checks one thing in all of them. {@code Generated} writes parts of the
 * pages from the code: after a change run the tests with {@code -Dsemel.regenerate=true}. Java in
 * the pages is compiled, and run if it needs only this machine; {@code src/test/snippets} has the
 * code around it. {@code TutorialTest} pastes the tutorial's commands.
 */
@NullMarked
package dev.semel.doctest;

import org.jspecify.annotations.NullMarked;
