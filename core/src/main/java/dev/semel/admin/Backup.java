package dev.semel.admin;

/**
 * A finished backup: a complete, checked copy of the data files of this machine.
 *
 * @param folder where it is; a data folder like any other
 * @param records the number of the store's records in it; 0 where the store is elsewhere
 * @param streamFiles the number of stream files
 * @param bytes of all of it
 */
public record Backup(String folder, long records, long streamFiles, long bytes) {}
