package dev.semel.proof.report;

/** The report's style sheet, for light and dark mode. */
final class ReportStyle {
  static final String CSS =
      """
      :root { color-scheme: light dark; --ink: #1c2330; --quiet: #667085; --paper: #fff;
        --card: #f6f7f9; --line: #d9dde4; --good: #13795b; --bad: #b42318; --did: #2f6fde;
        --again: #94a7c4; --refused: #c9b458; --lost: #e07a3f; --stop: #8250c4;
        --delay: #2b9a9a; }
      @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --quiet: #98a2b3;
        --paper: #12161d; --card: #1b212b; --line: #323b49; --good: #4cc79c; --bad: #ff8a7a;
        --did: #6da2ff; --again: #5d6f8c; --refused: #b39c3d; --lost: #e88c57;
        --stop: #b08cf0; --delay: #4fc3c3; } }
      * { box-sizing: border-box; }
      body { margin: 0; background: var(--paper); color: var(--ink);
        font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
      main { max-width: 980px; margin: 0 auto; padding: 32px 24px 64px; }
      h1 { font-size: 28px; line-height: 1.2; margin: 4px 0 12px; }
      h2 { font-size: 22px; margin: 0 0 8px; }
      h3 { font-size: 17px; margin: 28px 0 8px; }
      h4 { font: 600 14px ui-monospace, monospace; margin: 0 0 4px; }
      article { border-top: 1px solid var(--line); margin-top: 32px; padding-top: 24px; }
      a { color: inherit; }
      summary { cursor: pointer; color: var(--quiet); font-size: 13px; }
      p { margin: 4px 0; }
      ul { padding-left: 20px; }
      .brand { color: var(--quiet); font: 600 13px ui-monospace, monospace; }
      .good, .good span { color: var(--good); }
      .bad, .bad span { color: var(--bad); }
      .quiet { color: var(--quiet); }
      .why { border-left: 3px solid var(--bad); padding: 2px 0 2px 12px; margin: 12px 0; }
      .counts { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr));
        gap: 10px; margin-top: 20px; }
      .counts div { background: var(--card); border-radius: 8px; padding: 10px 12px;
        color: var(--quiet); font-size: 13px; }
      .counts b { display: block; font-size: 20px; color: var(--ink); }
      .promises { list-style: none; padding: 0; }
      .promises .good { color: var(--ink); }
      table { border-collapse: collapse; width: 100%; font-size: 13px; margin: 8px 0; }
      th { text-align: left; color: var(--quiet); font-weight: 500; }
      th, td { padding: 3px 10px 3px 0; border-bottom: 1px solid var(--line);
        vertical-align: top; }
      .num { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
      section { background: var(--card); border-radius: 10px; padding: 16px; margin: 14px 0; }
      svg { width: 100%; height: auto; margin: 10px 0; }
      svg .lane { stroke: var(--line); }
      svg .who { fill: var(--quiet); font: 12px ui-monospace, monospace; }
      svg .no { fill: #fff; font: 9px system-ui, sans-serif; }
      svg .did { fill: var(--did); }
      svg .again { fill: var(--again); }
      svg .refused { fill: var(--refused); }
      svg .lost { fill: var(--lost); }
      svg .effect { fill: var(--bad); }
      svg .kill, .key.kill { fill: var(--bad); background: var(--bad); }
      svg .stop, .key.stop { fill: var(--stop); background: var(--stop); }
      svg .cut, .key.cut { fill: var(--lost); background: var(--lost); }
      svg .silent, .key.silent { fill: var(--again); background: var(--again); }
      svg .lost-answers, .key.lost-answers { fill: var(--refused); background: var(--refused); }
      svg .delay, .key.delay { fill: var(--delay); background: var(--delay); }
      .key { display: inline-block; width: 12px; height: 12px; border-radius: 3px;
        margin: 0 4px -1px 8px; }
      .key.did { background: var(--did); }
      .key.again { background: var(--again); }
      .key.refused { background: var(--refused); }
      .key.lost { background: var(--lost); }
      .key.effect { background: var(--bad); border-radius: 50%; }
      """;

  private ReportStyle() {}
}
