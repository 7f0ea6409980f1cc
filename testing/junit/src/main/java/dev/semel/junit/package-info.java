/** How the tests of all our modules run. */
@NullMarked
package dev.semel.junit;

import org.jspecify.annotations.NullMarked;
