package dev.semel.server.admin;

import dev.semel.admin.AdminTargets;
import dev.semel.json.JsonValue.JsonObject;

/**
 * What a server administers.
 *
 * @param targets belongs to whoever opened it
 * @param config how the server was set up, for operators; holds no secrets
 */
public record AdminBackend(AdminTargets targets, JsonObject config) {}
