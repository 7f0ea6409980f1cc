/**
 * HTTP for every route: header names, strict parsing of the request's target, and errors as problem
 * documents. Knows nothing of streams.
 */
@NullMarked
package dev.semel.server.http;

import org.jspecify.annotations.NullMarked;
