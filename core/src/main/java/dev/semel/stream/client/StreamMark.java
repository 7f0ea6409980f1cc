package dev.semel.stream.client;

/**
 * Where a reader is behind some data, and what the server said there.
 *
 * @param offset to go on from
 * @param cursor to be shown with the next live request; empty: none
 * @param closed nothing will ever follow
 */
record StreamMark(String offset, String cursor, boolean upToDate, boolean closed) {}
