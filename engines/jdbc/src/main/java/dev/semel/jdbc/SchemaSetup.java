package dev.semel.jdbc;

/**
 * Whether a store creates its tables when it opens, or only checks them because the program may not
 * create any.
 */
public enum SchemaSetup {
  /** Create missing tables; any number of processes may do so at once. */
  CREATE,
  /** Only check: a database administrator created the tables from the store's DDL. */
  CHECK
}
