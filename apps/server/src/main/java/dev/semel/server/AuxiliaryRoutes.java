package dev.semel.server;

import dev.semel.server.admin.AdminApi;
import dev.semel.server.page.PageRoute;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/**
 * Handlers of everything beside streams; all event loops share them.
 *
 * @param reserved subscriptions, at the protocol's reserved path
 * @param admin the admin API
 * @param metrics scrapes
 * @param page the control center's page
 */
record AuxiliaryRoutes(
    Handler<HttpServerRequest> reserved,
    Optional<AdminApi> admin,
    Handler<HttpServerRequest> metrics,
    Optional<PageRoute> page) {}
