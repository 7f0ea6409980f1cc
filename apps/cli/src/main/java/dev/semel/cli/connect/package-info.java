/**
 * From a URL to an open engine, database, broker or server. {@link dev.semel.cli.connect.StoreUrls}
 * opens stores; {@link dev.semel.cli.connect.ControlCenters} decides whether a store is opened here
 * or a server is asked.
 */
@NullMarked
package dev.semel.cli.connect;

import org.jspecify.annotations.NullMarked;
