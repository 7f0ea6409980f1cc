/**
 * From a URL to an open engine, database, broker or server. {@link dev.semel.cli.connect.StoreUrls}
 * opens stores; {@link dev.semel.cli.connect.ControlCenters} decides whether this process opens a
 * store or asks a server.
 */
@NullMarked
package dev.semel.cli.connect;

import org.jspecify.annotations.NullMarked;
