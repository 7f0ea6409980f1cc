package dev.semel.cli.keys;

import dev.semel.Tenant;

/** A prefix of keys, as users write it. */
record KeyPrefix(String text) {
  /**
   * The prefix of the keys' full text. An operation can't be mistaken for a tenant, because only an
   * operation is followed by a colon.
   */
  String full() {
    int colon = text.indexOf(':');
    int slash = text.indexOf('/');
    return colon >= 0 && (slash < 0 || colon < slash) ? Tenant.DEFAULT.name() + "/" + text : text;
  }
}
