/**
 * The documentation, held to the code: nothing but tests. {@code Book} has the pages; each test
 * looks at one thing in all of them. What can be read off the code is written into the pages by
 * {@code Generated}: run the tests with {@code -Dsemel.regenerate=true} after a change. Java in the
 * pages is compiled, and run where that needs nothing but this machine: {@code src/test/snippets}
 * has what surrounds it. {@code TutorialTest} pastes the tutorial's commands.
 */
@NullMarked
package dev.semel.doctest;

import org.jspecify.annotations.NullMarked;
