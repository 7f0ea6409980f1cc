package dev.semel.cli.operate;

/** Format of an exported file. */
enum ExportFormat {
  /** One JSON document. */
  JSON,
  /** One JSON object a line. */
  JSONL,
  /** A heading and rows of CSV. */
  CSV
}
