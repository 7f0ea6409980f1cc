package dev.semel.server.subscription.internal.rules;

import java.util.Optional;

/**
 * What a holder shows: its token, and the wake it says it holds.
 *
 * @param pass what the token says; empty: it was not signed here
 */
public record WakeClaim(Optional<WakePass> pass, String wake, long generation) {}
