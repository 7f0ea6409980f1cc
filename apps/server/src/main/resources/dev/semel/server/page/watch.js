// Alerts, the event log, and the health of the server and its targets.
import { html, useState } from "./vendor.js";
import { change, curl, get, mayChange, me } from "./api.js";
import { alerts, config, events } from "./live.js";
import { ask, attempt, Change, Choice, confirmMany, copy, Facts, go, here, link, many, Panel, route, Search, settle, State, Table, Trouble, useAnswer } from "./parts.js";
import { count, dateTime, duration, shown, words } from "./text.js";

const seen = (of, value) => (of.unit === "percent" ? value + " %" : of.unit === "seconds" ? duration(value * 1000) : count(value));

export function Alerts() {
  const order = { firing: 0, pending: 1, resolved: 2 };
  const all = [...alerts.value].sort((a, b) => order[a.state] - order[b.state]);
  return html`<${Panel} title="Alerts">
    ${all.length === 0 && html`<p class="empty">Nothing is beyond its limit, and nothing was in the last day.</p>`}
    <ul class="alerts">${all.map((each) => html`<li key=${each.id} class=${each.state}>
      <h3>${words(each.alert)} ${each.subject && html`<span class="mono">${shown(each.subject)}</span>`} <${State} of=${each.state} /> <${State} of=${each.severity} /></h3>
      <p>${shown(each.text)}</p>
      <p class="muted">Seen ${seen(each, each.seen)}, limit ${seen(each, each.limit)}; since <time datetime=${each.since}>${dateTime(each.since)}</time>.</p>
      <p><strong>What to do:</strong> ${shown(each.advice)} <span class="muted mono">${shown(each.runbook)}</span></p></li>`)}</ul>
  <//>`;
}

/** A test compares them with the server's. */
const KINDS = ["claimed", "completed", "replayed", "in-flight", "mismatched", "in-doubt", "fenced", "taken-over", "released", "failure-stored", "unrecorded", "outlived",
  "collided", "strategies-differ", "changed", "published", "rebuilt", "consumed", "redelivered", "dead-lettered", "publish-refused", "handler-failed", "job-retried",
  "job-buried", "job-lost", "circuit-changed", "duplicate-storm", "alert-changed", "store-failed", "unguarded", "reconciled", "loop-failed", "callers-cut", "clock-skewed", "skipped"];
const OWN = new Set(["at", "kind", "tenant", "operation", "id", "writer", "number", "hash", "personal", "erased"]);
const about = (line) => (line.operation && line.id ? `${line.tenant || "default"}/${line.operation}:${line.id}` : "");

export function Audit() {
  const { params } = route.value;
  const kind = params.get("kind") ?? "";
  const key = params.get("key") ?? "";
  const follows = !key;
  const asked = useAnswer((stop) => get("audit", { kind, key, limit: 200 }, { signal: stop }), [kind, key]);
  const [verdict, setVerdict] = useState(null);
  const known = asked.data?.events ?? [];
  const numbers = new Set(known.map((line) => line.writer + line.number));
  const fresh = follows ? events.value.filter((line) => (!kind || line.kind === kind) && !numbers.has(line.writer + line.number)) : [];
  const lines = [...known, ...fresh].sort((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, 300);
  const verify = async () => {
    setVerdict({ checking: true });
    try {
      setVerdict(await get("audit/verify"));
    } catch (e) {
      setVerdict({ error: e });
    }
  };
  const erase = async () => {
    const what = await ask({ title: "Erase a key's id from the log", field: "Key", value: key, action: "Erase", danger: true,
      text: "Its id, and texts that may name someone, are removed from all lines; the lines stay and the chain still verifies. This can't be undone." });
    if (!what) return;
    if (await attempt(() => change("POST", "audit/erase", { body: { key: what } }), (answer) => `${many(answer.erased, "line")} erased`)) asked.again();
  };
  return html`<${Panel} title="Audit">
    <form class="filters" role="search" onSubmit=${(e) => e.preventDefault()}>
      <${Choice} label="Kind" value=${kind} options=${[["", "all kinds"], ...KINDS.map((each) => [each, words(each)])]} onChange=${(to) => go(here({ kind: to }))} />
      <${Search} label="Key" value=${key} placeholder="operation:id" onChange=${(to) => settle(here({ key: to }))} />
      <button type="button" class="main" onClick=${verify}>Verify the chains</button>
      <${Change} class="danger" onClick=${erase}>Erase an id…<//>
      <button type="button" onClick=${() => copy(curl("GET", "audit", { kind, key }))}>Copy as curl</button>
    </form>
    <div aria-live="polite">${verdict && html`<${Verdict} of=${verdict} />`}</div>
    <${Trouble} error=${asked.error} />
    <${Table} label="Events" columns=${["Time", "Kind", "About", "Facts", "Writer"]} empty="No such event.">
      ${lines.map((line) => html`<tr key=${line.writer + line.number}><td class="muted"><time datetime=${line.at}>${dateTime(line.at)}</time></td><td>${words(line.kind)}</td>
        <td class="mono">${about(line) ? html`<a href=${link("keys", { key: about(line) })}>${shown(about(line))}</a>` : shown(line.operation ?? "")}${line.erased && html`<span class="muted">erased</span>`}</td>
        <td class="reason">${Object.entries(line).filter(([name]) => !OWN.has(name)).map(([name, value]) => html`<span class="fact">${words(name)} <span class="mono">${shown(value)}</span></span> `)}</td>
        <td class="mono muted">${shown(line.writer).slice(0, 12)} ${line.number}</td></tr>`)}
    <//>
  <//>`;
}

function Verdict({ of }) {
  if (of.checking) return html`<p>Reading the whole log…</p>`;
  if (of.error) return html`<${Trouble} error=${of.error} />`;
  return html`<div class=${"verdict " + (of.intact ? "good" : "bad")}>
    <p><strong>${of.intact ? "Intact" : "Not intact"}</strong>: ${many(of.events, "event")} of ${many(of.writers, "writer")}${of.intact ? ", every chain holds." : `, ${count(of.found)} found.`}</p>
    ${of.findings.map((each) => html`<p class="mono">${words(each.problem)}: writer ${shown(each.writer)}, line ${each.number}</p>`)}</div>`;
}

export function Health() {
  const health = useAnswer((stop) => get("health", {}, { signal: stop }), [], 5000);
  const cleanup = () => confirmMany("POST", "cleanup", {}, { title: "Clean up?", action: "Clean up",
    text: (n) => `${many(n, "record")} whose retention has ended, and events that are too old, will be removed. Nothing that still counts is touched.` },
    (answer) => `${many(answer.removed, "record")} removed`);
  const reset = () => confirmMany("POST", "stats/reset", {}, { title: "Set all counts to zero?", action: "Reset", danger: true,
    text: (n) => `The counts of ${many(n, "operation")} start from zero. Records stay. This can't be undone.` }, () => "All counts start from zero");
  const set = config.value;
  return html`
    <${Panel} title="Health" aside=${health.data && html`<${State} of=${health.data.status} />`}>
      <${Trouble} error=${health.error} />
      <ul class="alerts">${(health.data?.parts ?? []).map((each) => html`<li key=${each.name} class=${each.status}>
        <h3>${each.name} <${State} of=${each.status} /></h3><p class="mono muted">${shown(each.where)}</p>
        ${each.says.map((says) => html`<p>${shown(says)}</p>`)}</li>`)}</ul>
      ${mayChange() && html`<div class="actions"><${Change} onClick=${cleanup}>Clean up…<//><${Change} class="danger" onClick=${reset}>Reset counts…<//></div>`}
    <//>
    <${Panel} title="This server">
      <${Facts} of=${[["you are", shown(me.value?.name)], ["you may", me.value?.role === "admin" ? "see and change" : "see"], ["store", shown(set?.store)], ["beside it", set?.parts.join(", ")],
        ...Object.entries(set?.server ?? {}).map(([name, value]) => [words(name), shown(typeof value === "object" ? JSON.stringify(value) : value)])]} />
      <p><a href="metrics">Metrics for Prometheus</a> · <a href="api/v1/openapi.json">OpenAPI</a> · <a href="page/vendor-licences.txt">Licences</a></p>
    <//>`;
}
