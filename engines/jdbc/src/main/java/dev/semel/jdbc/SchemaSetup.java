package dev.semel.jdbc;

/** What a store may do about its tables when it opens. */
public enum SchemaSetup {
  /** Create what is missing; any number of processes may do so at once. */
  CREATE,
  /** Only look: whoever runs the database has created the tables from the store's DDL. */
  CHECK
}
