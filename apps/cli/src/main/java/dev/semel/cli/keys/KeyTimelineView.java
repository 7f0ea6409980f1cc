package dev.semel.cli.keys;

import dev.semel.admin.KeyTimeline;
import dev.semel.admin.TimelineEntry;
import dev.semel.cli.TextTable;
import dev.semel.internal.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Renders a key's timeline. */
record KeyTimelineView(KeyTimeline line) {
  private static final int WRITER_SHOWN = 8;

  List<String> table() {
    List<String> lines = new ArrayList<>();
    TextTable table = new TextTable("WHEN", "FROM", "WHAT", "WHO", "DETAILS");
    for (TimelineEntry moment : line.moments()) {
      table.row(
          List.of(
              moment.at().toString(),
              PrintableText.word(moment.source()),
              PrintableText.safe(moment.kind()),
              who(moment),
              details(moment)));
    }
    lines.addAll(table.lines());
    if (line.masked()) {
      lines.add("ids are masked in the event log of this operation");
    }
    if (line.cut()) {
      lines.add("there are older events: see semel audit list --all");
    }
    return lines;
  }

  /** Shortens a writer's name, because the full one is only for programs. */
  private static String who(TimelineEntry moment) {
    String who = moment.who();
    boolean writer =
        moment.source() == TimelineEntry.Source.EVENTS && !moment.kind().equals("changed");
    return PrintableText.safe(writer && who.length() > WRITER_SHOWN ? tail(who) : who);
  }

  /** Names of writers begin with the time, so those of one time differ at the end. */
  private static String tail(String who) {
    return "…" + who.substring(who.length() - WRITER_SHOWN);
  }

  private static String details(TimelineEntry moment) {
    return moment.facts().entrySet().stream()
        .map(fact -> fact.getKey() + "=" + PrintableText.safe(fact.getValue()))
        .collect(Collectors.joining(" "));
  }

  List<String> plain() {
    return line.moments().stream()
        .map(
            moment ->
                String.join(
                    "\t",
                    moment.at().toString(),
                    PrintableText.word(moment.source()),
                    PrintableText.safe(moment.kind()),
                    PrintableText.safe(moment.who()),
                    details(moment)))
        .toList();
  }
}
