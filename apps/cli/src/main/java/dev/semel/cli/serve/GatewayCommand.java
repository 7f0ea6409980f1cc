package dev.semel.cli.serve;

import dev.semel.cli.CommandLines;
import dev.semel.cli.CommandSettings;
import dev.semel.cli.OptionLayers;
import dev.semel.cli.SemelCommand;
import dev.semel.idempotency.spi.Store;
import dev.semel.server.gateway.Gateway;
import dev.semel.server.gateway.GatewaySettings;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Guards the requests of a service until a signal stops it. */
@CommandLine.Command(
    name = "gateway",
    header = "Make the requests of any HTTP service happen once per Idempotency-Key.",
    description = {
      "",
      "A reverse proxy: the first request with a key reaches the service, the others get its"
          + " answer again. The service need not know of keys. Requests without one pass as they"
          + " are. How it is: /.semel/healthz and /.semel/readyz.",
      "",
      "Each option can be a variable too, --port as SEMEL_GATEWAY_PORT, or a line of semel.yaml,"
          + " gateway.port.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  semel gateway --upstream http://localhost:3000",
      "  semel gateway --upstream http://localhost:3000 --require-key --wait 10s --retention 7d",
      "  semel gateway --upstream http://localhost:3000 --path /webhooks --key-pointer /id",
      "  SEMEL_GATEWAY_UPSTREAM=http://localhost:3000 semel gateway",
      "",
      "  curl -X POST -H 'Idempotency-Key: order-1' -d amount=10 http://localhost:4438/payments"
    })
public final class GatewayCommand implements Callable<Integer> {
  public static final String NAME = "gateway";

  private final SemelCommand semel;

  @Spec private @Nullable CommandSpec spec;

  @Mixin
  @SuppressWarnings("UnusedVariable") // the code asks the parser instead of the fields
  private final GatewayOptions given = new GatewayOptions();

  public GatewayCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() throws InterruptedException {
    GatewaySettings settings = settings();
    semel.logToStandardError();
    try (Store store = semel.open()) {
      return new ListeningProcess(semel, settings.shutdown().drain())
          .run(
              () -> Gateway.start(settings, store, semel.listener()),
              gateway -> announce(settings, gateway, store),
              (gateway, drain) -> gateway.close(drain));
    }
  }

  private void announce(GatewaySettings settings, Gateway gateway, Store store) {
    String host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
    settings
        .tls()
        .warnings(settings.host(), "keys and tokens of callers")
        .forEach(semel.console()::complain);
    semel
        .console()
        .note(
            "guarding %s on %s://%s:%d, keys in %s"
                .formatted(
                    settings.upstream(),
                    settings.tls().scheme(),
                    host,
                    gateway.port(),
                    store.describe()));
  }

  private GatewaySettings settings() {
    GatewayOptions all = new GatewayOptions();
    OptionLayers layers =
        new OptionLayers(
            NAME,
            CommandLines.ofOptions(all),
            CommandSettings.layers(semel.flags(), semel.around()));
    return layers.settle(
        SemelCommand.given(spec).commandLine().getParseResult(),
        () -> all.settings(semel.around().folder()));
  }
}
