package dev.semel.cli.operate;

/** What a file of ours looks like. */
enum ExportFormat {
  /** One document. */
  JSON,
  /** One object a line. */
  JSONL,
  /** A heading and rows. */
  CSV
}
