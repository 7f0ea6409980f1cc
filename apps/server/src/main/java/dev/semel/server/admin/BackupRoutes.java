package dev.semel.server.admin;

import dev.semel.admin.document.BackupDocument;
import java.util.List;

/** Copies of what is kept in files of this server. */
final class BackupRoutes {
  private static final RouteParameter NAME =
      new RouteParameter(
          "name", "Of the backup, among those of this server: letters, digits, . _ -");

  private BackupRoutes() {}

  static List<AdminRoute> all() {
    return List.of(
        AdminRoute.change(
            "POST",
            "backups",
            "Copy the store's file and the streams, while they are used; answers when it is done.",
            RouteParameter.list(NAME),
            asked -> BackupDocument.json(asked.center().backup(asked.text(NAME.name()))).write()));
  }
}
