package dev.semel.server.subscription.internal.rules;

import java.util.Optional;

/**
 * A holder's evidence: its token, and the wake that it names.
 *
 * @param pass the token's content; empty: it was not signed here
 */
public record WakeClaim(Optional<WakePass> pass, String wake, long generation) {}
