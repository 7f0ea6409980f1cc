/**
 * What every HTTP front shows its clients over real sockets, as tests to extend: the servlet filter
 * and the gateway each give a subclass of {@link dev.semel.tck.http.HttpContract}.
 *
 * <p>Invariant: the contract knows a front only by its address and the store it was given; what
 * stands behind it is a {@link dev.semel.tck.http.HttpBackend}, or a server in another language
 * that does the same.
 *
 * <p>Start at {@link dev.semel.tck.http.HttpContract}.
 */
@NullMarked
package dev.semel.tck.http;

import org.jspecify.annotations.NullMarked;
