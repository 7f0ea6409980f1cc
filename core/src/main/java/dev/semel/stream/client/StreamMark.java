package dev.semel.stream.client;

/**
 * The position of a reader, and the server's state there.
 *
 * @param offset to continue from
 * @param cursor to be sent with the next live request; empty: none
 * @param closed true: no data will ever follow
 */
record StreamMark(String offset, String cursor, boolean upToDate, boolean closed) {}
