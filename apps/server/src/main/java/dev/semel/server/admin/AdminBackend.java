package dev.semel.server.admin;

import dev.semel.admin.AdminTargets;
import dev.semel.json.JsonValue.JsonObject;

/**
 * What the admin API administers.
 *
 * @param targets the caller owns and closes them
 * @param config the server's configuration for operators; holds no secrets
 */
public record AdminBackend(AdminTargets targets, JsonObject config) {}
