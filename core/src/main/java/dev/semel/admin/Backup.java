package dev.semel.admin;

/**
 * A copy of what is kept in files of this machine, whole and checked.
 *
 * @param folder where it is; a data folder like any other
 * @param records how many records of the store are in it; none where the store is elsewhere
 * @param streamFiles how many files of streams
 * @param bytes of all of it
 */
public record Backup(String folder, long records, long streamFiles, long bytes) {}
