/**
 * Contract tests of HTTP fronts over real sockets, to extend: the servlet filter and the gateway
 * each have a subclass of {@link dev.semel.tck.http.HttpContract}.
 *
 * <p>Invariant: the contract knows a front only by its address and its store; the service behind it
 * is a {@link dev.semel.tck.http.HttpBackend}, or a server in another language with the same
 * behaviour.
 *
 * <p>Start at {@link dev.semel.tck.http.HttpContract}.
 */
@NullMarked
package dev.semel.tck.http;

import org.jspecify.annotations.NullMarked;
