// Records: search, one in a drawer, and bulk changes.
import { html, useState } from "./vendor.js";
import { change, curl, get } from "./api.js";
import { happened } from "./live.js";
import {
  DRAWER_MILLIS,
  ask, attempt, Change, Choice, confirmMany, copy, Drawer, Facts, go, here, link, many, More, Panel, route, Search, settle, State, Table,
  Trouble, useAnswer, usePages,
} from "./parts.js";
import { ago, bytes, count, dateTime, duration, fromBase64, preciseTime, pretty, shown, shownLines, words } from "./text.js";

const STATES = [["", "any state"], ["in_flight", "in flight"], ["in_doubt", "in doubt"], ["completed", "completed"], ["failed", "failed"], ["released", "released"]];
const COLUMNS = ["Key", "Operation", "State", "Attempt", "First seen", "Request", "Kept for"];
/** A page may be empty although more follow: this many are requested before the user has to ask. */
const EMPTY_PAGES = 20;

const Kept = ({ of }) => {
  const all = of.age_ms + of.retention_left_ms;
  return html`<progress max=${Math.max(1, all)} value=${of.retention_left_ms} aria-label=${"kept for another " + duration(of.retention_left_ms)}></progress> ${duration(of.retention_left_ms)}`;
};

export const KeyTable = ({ keys }) => html`
  <${Table} label="Keys" columns=${COLUMNS} empty="No such key.">
    ${keys.map((each) => html`<tr key=${each.key}>
      <td class="mono"><a href=${route.value.view === "keys" ? here({ key: each.key }) : link("keys", { key: each.key })}>${shown(each.id)}</a></td>
      <td>${each.tenant === "default" ? "" : each.tenant + "/"}${each.operation}</td>
      <td><${State} of=${each.state} />${each.lease_left_ms != null && html` <span class="muted">${duration(each.lease_left_ms)}</span>`}</td>
      <td>${each.attempt}</td>
      <td class="muted short">${ago(each.age_ms)}</td>
      <td class="mono muted">${shown(each.request_id)}</td>
      <td class="muted short"><${Kept} of=${each} /></td></tr>`)}
  <//>`;

async function page(filter, cursor, stop) {
  let found = { keys: [], next: cursor };
  for (let i = 0; i < EMPTY_PAGES; i++) {
    found = await get("keys", { ...filter, cursor: found.next, limit: 100 }, { signal: stop });
    if (found.keys.length || !found.next) break;
  }
  return found;
}

export function Keys() {
  const { params } = route.value;
  const filter = { text: params.get("text") ?? "", prefix: params.get("prefix") ?? "", state: params.get("state") ?? "" };
  const list = usePages((cursor, stop) => page(filter, cursor, stop), [filter.text, filter.prefix, filter.state, Math.floor(happened.value / 20)]);
  const keys = list.pages.flatMap((each) => each.keys);
  const key = params.get("key");
  const remove = async () => {
    const done = await confirmMany("DELETE", "keys", filter, {
      title: "Delete all of these?",
      text: (n) => `${many(n, "record")} will be forgotten: whoever asks for one of these keys again runs. This can't be undone.`,
      action: "Delete", danger: true,
    }, (answer) => `${many(answer.deleted, "record")} deleted`);
    if (done) list.again();
  };
  return html`
    <${Panel} title="Keys" aside=${html`<span class="muted">${count(keys.length)}${list.next ? "+" : ""}</span>`}>
      <form class="filters" role="search" onSubmit=${(e) => e.preventDefault()}>
        <${Search} label="Search" value=${filter.text} placeholder="anywhere in the key" onChange=${(text) => settle(here({ text }))} />
        <${Search} label="Begins with" value=${filter.prefix} placeholder="tenant/operation:" onChange=${(prefix) => settle(here({ prefix }))} />
        <${Choice} label="State" value=${filter.state} options=${STATES} onChange=${(state) => go(here({ state }))} />
        <${Change} class="danger" onClick=${remove}>Delete all of these…<//>
        <button type="button" onClick=${() => copy(curl("GET", "keys", filter))}>Copy as curl</button>
      </form>
      <${Trouble} error=${list.error} />
      ${list.data && html`<${KeyTable} keys=${keys} />`}
      <${More} list=${list} />
    <//>
    ${key && html`<${KeyDrawer} key=${key} name=${key} close=${() => go(here({ key: "" }))} changed=${list.again} />`}`;
}

// ---- one key

const DOTS = {
  claimed: "blue", completed: "good", replayed: "violet", "in-flight": "warn", mismatched: "bad", "in-doubt": "bad", fenced: "violet", expires: "warn",
  "lease-ends": "warn", published: "blue", consumed: "good", dead: "bad", "dead-lettered": "bad", "job-buried": "bad", stands: "muted", changed: "warn",
};

function Moment({ of, first, at }) {
  const when = Date.parse(of.at);
  const facts = Object.entries(of.facts).filter(([, value]) => value !== "");
  return html`<li class=${DOTS[of.kind] ?? "muted"}>
    <p><strong>${words(of.kind)}</strong> <time datetime=${of.at} title=${dateTime(of.at)}>${
      when > at ? "in " + duration(when - at) : when === first ? preciseTime(when) : "+" + duration(when - first)}</time>
      <span class="muted"> ${words(of.source)}</span></p>
    ${(of.who || facts.length > 0) && html`<p class="muted">${of.who && html`by <span class="mono">${shown(of.who)}</span> `}${
      facts.map(([name, value]) => html`<span class="fact">${words(name)} <span class="mono">${shown(value)}</span></span> `)}</p>`}
  </li>`;
}

function KeyDrawer({ name, close, changed }) {
  const path = "keys/" + encodeURIComponent(name);
  const [kept, setKept] = useState(null);
  const record = useAnswer((stop) => get(path, {}, { signal: stop }), [name, Math.floor(happened.value / 3)], DRAWER_MILLIS);
  const life = useAnswer((stop) => get(path + "/life-line", {}, { signal: stop }), [name, Math.floor(happened.value / 3)], DRAWER_MILLIS);
  const of = record.data;
  const moments = life.data?.life_line ?? [];
  const first = moments.length ? Date.parse(moments[0].at) : 0;
  const act = async (about, task, done) => {
    if ((await ask(about)) === null || !(await attempt(task, done))) return;
    changed();
    record.again();
    life.again();
  };
  const release = () => act(
    { title: "Release this key?", text: `The next call for ${shown(name)} runs, whatever its state. Whoever holds it now is fenced; what it did outside is not undone.`, action: "Release", danger: true },
    () => change("POST", path + "/release", { body: {} }), () => "Released: the next call runs");
  const remove = async () => {
    const sent = moments.filter((each) => each.source === "outbox").length;
    const impact = "1 record" + (of ? `, ${words(of.state)}, ${bytes(of.payload_bytes)} of response` : "")
      + (sent ? `; its ${many(sent, "message")} in the outbox stay` : "");
    if ((await ask({ title: "Delete this key?", danger: true, action: "Delete",
      text: `${impact}. The next call for it runs again, as if it had never been asked. This can't be undone.` })) === null) return;
    if (await attempt(() => change("DELETE", path), () => "Deleted")) {
      changed();
      close();
    }
  };
  const show = () => attempt(async () => {
    const answer = await get(path + "/payload");
    setKept({ type: answer.type, text: pretty(fromBase64(answer.base64)) });
  }, () => "The response is shown; reading it takes an admin");
  return html`<${Drawer} title=${"Key " + shown(name)} close=${close}>
    <h2 class="mono">${shown(name)}</h2>
    <${Trouble} error=${record.error} />
    ${of && html`
      <p><${State} of=${of.state} /> <span class="muted">attempt ${of.attempt}, first seen ${ago(of.age_ms)}</span></p>
      <${Facts} of=${[
        ["request", shown(of.request_id)], ["lease left", of.lease_left_ms == null ? "" : duration(of.lease_left_ms)],
        ["kept for", duration(of.retention_left_ms)], ["response", of.payload_bytes ? `${bytes(of.payload_bytes)} ${shown(of.payload_type)}` : "none"],
        ["exit code", of.exit_code], ["fingerprint", of.fingerprint && html`<span class="mono">${shown(of.fingerprint)}</span>`],
        ["effect key", html`<span class="mono">${shown(of.effect_key)}</span>`],
      ]} />`}
    <h3>Life line</h3>
    <${Trouble} error=${life.error} />
    ${life.data?.masked && html`<p class="muted">Some lines were written with ids masked.</p>`}
    ${life.data?.cut && html`<p class="muted">There are older lines than these.</p>`}
    <ol class="life">${moments.map((each) => html`<${Moment} of=${each} first=${first} at=${Date.now()} />`)}</ol>
    ${life.data && moments.length === 0 && html`<p class="empty">Nothing is known of it.</p>`}
    <div class="actions">
      <button type="button" class="main" onClick=${() => copy(curl("GET", path + "/life-line"))}>Copy as curl</button>
      ${of?.payload_bytes > 0 && html`<${Change} onClick=${show}>Show response<//>`}
      ${of && html`<${Change} onClick=${release}>Release…<//><${Change} class="danger" onClick=${remove}>Delete…<//>`}
    </div>
    ${kept && html`<h3>Response <span class="muted">${shown(kept.type)}</span></h3><pre tabindex="0">${shownLines(kept.text)}</pre>`}
  <//>`;
}
