package dev.semel.server.subscription;

/** All that hangs on one load of the state; after a failed write it is replaced as a whole. */
record State(Table table, Views views, Tokens tokens, Ledger ledger) {}
