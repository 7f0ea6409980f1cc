package dev.semel.cli.operate;

import dev.semel.Operation;
import dev.semel.admin.ControlCenter;
import dev.semel.advice.Advice;
import dev.semel.advice.AdviceCriteria;
import dev.semel.advice.Recommendations;
import dev.semel.advice.internal.Advisor;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.BrokerOption;
import dev.semel.cli.connect.BrokerUrls;
import dev.semel.internal.PrintableText;
import dev.semel.outbox.RelaySettings;
import dev.semel.transport.Transport;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what to tune, and applies it. */
@CommandLine.Command(
    name = "advise",
    header = "Say what to tune, from what was counted; --apply does it.",
    description = {
      "",
      "A retention is advised from the ages at which duplicates arrive, and only if enough of them"
          + " were counted. A shorter one lets later duplicates run again: what senders promise"
          + " counts more than what was counted.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  semel advise",
      "  semel advise --operation payments --percent 99.99",
      "  semel advise --operation payments --apply -y",
      "  semel advise --broker nats://localhost --destination orders"
    })
public final class AdviseCommand implements Callable<Integer> {
  private final SemelCommand semel;

  @Option(names = "--operation", paramLabel = "NAME", description = "Only for this one.")
  private @Nullable String operation;

  @Option(
      names = "--percent",
      paramLabel = "P",
      defaultValue = "99.9",
      description =
          "The share of duplicates that a retention must still catch (default: ${DEFAULT-VALUE}).")
  private BigDecimal percent = AdviceCriteria.usual().percent();

  @Mixin private final BrokerOption broker = new BrokerOption();

  @Option(names = "--apply", description = "Change the settings that are advised.")
  private boolean apply;

  @Option(
      names = {"-y", "--yes"},
      description = "Don't ask.")
  private boolean yes;

  public AdviseCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    OutputFormat format = semel.settings().output();
    AdviceCriteria demand = AdviceCriteria.usual().withPercent(percent);
    Map<String, List<String>> hazards = hazards();
    return semel.centers().onStore(center -> advise(center, demand, hazards, format));
  }

  private int advise(
      ControlCenter center,
      AdviceCriteria demand,
      Map<String, List<String>> hazards,
      OutputFormat format) {
    if (operation != null && unknown(center, new Operation(operation))) {
      semel.console().complain("nothing was counted of the operation " + operation);
      return ExitCode.NOT_FOUND;
    }
    Recommendations counsel =
        chosen(center.advice(demand).and(new Advisor(demand).ofBrokers(hazards)));
    AdviceView view = new AdviceView(counsel, semel);
    if (!apply) {
      view.lines(format).forEach(semel.console()::line);
      return ExitCode.OK;
    }
    return apply(center, view, format);
  }

  private int apply(ControlCenter center, AdviceView view, OutputFormat format) {
    List<Advice> applicable = view.counsel().advice().stream().filter(Advice::applicable).toList();
    if (applicable.isEmpty()) {
      semel.console().note("there is nothing to change");
    } else {
      String touched =
          "change for all processes: "
              + applicable.stream()
                  .map(advice -> AdviceView.about(advice) + " " + AdviceView.change(advice))
                  .collect(Collectors.joining("; "));
      if (!semel.console().confirm(touched, yes)) {
        semel.console().complain("nothing was done");
        return ExitCode.FAILED;
      }
      applicable.forEach(center::apply);
    }
    view.applied(applicable, format).forEach(semel.console()::line);
    return ExitCode.OK;
  }

  private Recommendations chosen(Recommendations all) {
    if (operation == null) {
      return all;
    }
    Operation only = new Operation(operation);
    return new Recommendations(
        all.advice().stream()
            .filter(advice -> advice.operation().map(only::equals).orElse(true))
            .toList(),
        all.withheld().stream().filter(each -> each.operation().equals(only)).toList());
  }

  private static boolean unknown(ControlCenter center, Operation only) {
    return center.stats().operations().stream()
        .noneMatch(each -> each.scope().operation().equals(only));
  }

  private Map<String, List<String>> hazards() {
    String url = broker.url(semel.around());
    Map<String, List<String>> hazards = new TreeMap<>();
    for (String destination : broker.destinations()) {
      try (Transport transport = BrokerUrls.existing(url, destination)) {
        hazards.put(
            "%s, %s".formatted(transport.describe(), PrintableText.safe(destination)),
            transport.hazards(RelaySettings.defaults().retrySpan()));
      }
    }
    return hazards;
  }
}
