package dev.semel.server.admin;

import dev.semel.admin.AdminTargets;
import dev.semel.json.JsonValue.JsonObject;

/**
 * Targets and configuration behind the admin API.
 *
 * @param targets owned and closed by the caller
 * @param config the server's configuration for operators; holds no secrets
 */
public record AdminBackend(AdminTargets targets, JsonObject config) {}
