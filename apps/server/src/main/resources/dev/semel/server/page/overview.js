// The state at a glance.
import { html, useState } from "./vendor.js";
import { change, get } from "./api.js";
import { events, has, happened, now, outbox, rates, stats } from "./live.js";
import { attempt, ask, Change, Choice, link, Panel, Trouble, useAnswer } from "./parts.js";
import { Plot, Timeline } from "./plots.js";
import { bytes, count, duration, percent, shown } from "./text.js";
import { KeyTable } from "./keys.js";

const Tile = ({ name, value, tone, note, to }) => html`
  <a class="tile" href=${to}><span class="name">${name}</span><strong class=${tone}>${value}</strong><span class="note">${note}</span></a>`;

const day = (answer, name) => answer.trend.reduce((sum, hour) => sum + hour[name], 0);

function Tiles() {
  const all = stats.value;
  if (!all) return html`<div class="tiles"></div>`;
  const sent = outbox.value;
  const waited = day(all, "in_flight");
  return html`<div class="tiles">
    <${Tile} name="Executed once (24 h)" value=${count(day(all, "executed"))} tone="good" to=${link("keys")}
      note=${"executed twice: " + count(all.total.ran_twice)} />
    <${Tile} name="Duplicates blocked (24 h)" value=${count(day(all, "duplicates"))} tone="red" to=${link("audit", { kind: "replayed" })}
      note=${percent(day(all, "duplicates"), day(all, "requests")) + " of requests"} />
    <${Tile} name="Met a first run (24 h)" value=${count(waited)} tone="warn" to=${link("keys", { state: "in_flight" })}
      note="told to wait for it" />
    <${Tile} name="Zombies fenced (24 h)" value=${count(day(all, "fenced"))} tone="violet" to=${link("audit", { kind: "fenced" })}
      note="late writers refused" />
    <${Tile} name="Told in doubt (24 h)" value=${count(day(all, "in_doubt"))} tone=${day(all, "in_doubt") ? "bad" : "plain"} to=${link("keys", { state: "in_doubt" })}
      note="nobody can know: look" />
    ${has("outbox") && sent
      ? html`<${Tile} name="Outbox lag" value=${sent.oldest_ms == null ? "none" : duration(sent.oldest_ms)} tone="blue" to=${link("outbox")}
          note=${count(sent.pending) + " pending, " + count(sent.dead) + " dead"} />`
      : html`<${Tile} name="Outbox lag" value="–" tone="plain" to=${link("outbox")} note="no outbox here" />`}
    <${Tile} name="Active keys" value=${count(all.active_keys)} tone="plain" to=${link("keys")}
      note=${bytes(all.bytes) + (all.exact ? "" : ", about")} />
  </div>`;
}

const PER_SECOND = [{ label: "requests", ink: "blue" }, { label: "duplicates", ink: "red" }];

function Rates() {
  const [, requests, duplicates] = rates.value;
  const last = (of) => (of.length ? of.at(-1).toFixed(1) : "–");
  return html`<${Panel} title="Requests and blocked duplicates per second"
      aside=${html`<span class="aside"><span class="dot requests"></span>${last(requests)} <span class="dot duplicates"></span>${last(duplicates)}</span>`}>
    <${Plot} label=${`Requests now ${last(requests)} a second, duplicates ${last(duplicates)}`} data=${rates.value} series=${PER_SECOND} height=${200} />
  <//>`;
}

/** The steps in which ages are counted, in seconds. */
const AGES = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14400, 28800, 43200, 86400, 172800, 259200, 604800, 1209600, 2592000, Infinity];
const UNITS = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86400 };
const seconds = (age) => (age === "older" ? Infinity : [...age.matchAll(/(\d+)(ms|s|m|h|d)/g)].reduce((sum, [, n, unit]) => sum + n * UNITS[unit], 0));

/** Share of the duplicates that had arrived by each age, from 0 to one step after the last. */
function curve(ages) {
  const counted = Object.entries(ages).map(([age, n]) => [seconds(age), n]);
  const total = counted.reduce((sum, [, n]) => sum + n, 0);
  const last = AGES.findIndex((limit) => counted.every(([age, n]) => n === 0 || age <= limit));
  const steps = AGES.slice(0, Math.max(3, last + 2));
  const shares = steps.map((limit) => (100 * counted.reduce((sum, [age, n]) => sum + (age <= limit ? n : 0), 0)) / Math.max(1, total));
  const names = ["0", ...steps.map((limit) => (limit === Infinity ? "older" : duration(limit * 1000).replace(".0", "")))];
  return { names, total, data: [names.map((_, at) => at), [0, ...shares]] };
}

const ARRIVED = [{ label: "arrived", ink: "violet" }];

function Advisor() {
  const [chosen, choose] = useState("");
  const counsel = useAnswer((stop) => get("advice", {}, { signal: stop }), [], 30_000);
  const operations = (stats.value?.operations ?? [])
    .filter((each) => Object.values(each.duplicate_ages).some((n) => n > 0))
    .sort((a, b) => b.duplicates - a.duplicates);
  const of = operations.find((each) => each.operation === chosen) ?? operations[0];
  const ages = of ? curve(of.duplicate_ages) : null;
  const apply = async (advice) => {
    const what = Object.entries(advice.change).map(([name, value]) => `${name} = ${value}`).join(", ");
    if ((await ask({ title: "Apply this advice?", text: `${advice.operation}: ${what}. ${advice.why}`, action: "Apply" })) === null) return;
    await attempt(() => change("POST", "advice/apply", { body: { operation: advice.operation, topic: advice.topic, change: advice.change } }),
      (answer) => `${answer.operation} is at version ${answer.version}`);
    counsel.again();
  };
  return html`<${Panel} title="Advisor: when do duplicates arrive?">
    ${ages
      ? html`<${Choice} label="Operation" value=${of.operation} onChange=${choose} options=${operations.map((each) => [each.operation, each.operation])} />
          <${Plot} key=${of.operation + ages.names.length} label=${`Of ${ages.total} duplicates of ${of.operation}, share that had arrived by age: ` + ages.names.map((n, i) => `${n} ${ages.data[1][i].toFixed(0)} %`).join(", ")}
            data=${ages.data} series=${ARRIVED} height=${130} x=${ages.names} />`
      : html`<p class="empty">No duplicates yet.</p>`}
    <${Trouble} error=${counsel.error} />
    ${counsel.data?.advice.map((each) => html`<div class="advice">
      <strong>${each.operation ?? "all"}</strong>: ${shown(each.title)} <span class="muted">${shown(each.why)} ${shown(each.todo)}</span>
      ${each.operation && Object.keys(each.change).length > 0 && html` <${Change} onClick=${() => apply(each)}>Apply…<//>`}</div>`)}
    ${counsel.data?.advice.length === 0 && html`<p class="muted">Nothing to tune now.</p>`}
  <//>`;
}

function Producers() {
  const found = useAnswer(async (stop) => {
    const { streams } = await get("streams", { limit: 5 }, { signal: stop });
    const all = await Promise.all(streams.map((each) => get("producers", { stream: each.path }, { signal: stop })));
    return all.flatMap((each) => each.producers.map((producer) => ({ ...producer, stream: each.stream }))).slice(0, 6);
  }, [], 5000);
  if (!found.data?.length) return null;
  return html`<${Panel} title="Producers and epochs">
    <div class="scroll" role="region" aria-label="Producers" tabindex="0"><table>
      <thead><tr><th scope="col">producer</th><th scope="col">epoch</th><th scope="col">seq</th><th scope="col">fenced</th></tr></thead>
      <tbody>${found.data.map((each) => html`<tr><td class="mono"><a href=${link("streams", { stream: each.stream })}>${shown(each.id)}</a></td>
        <td>${each.epoch}</td><td>${each.last_seq ?? "–"}</td><td class="violet">${each.epoch > 0 ? "below " + each.epoch : "–"}</td></tr>`)}</tbody></table></div>
  <//>`;
}

export function Overview() {
  return html`
    <h1 class="hidden">Overview</h1>
    <${Tiles} />
    <div class="grid">
      <${Rates} />
      <${Advisor} />
      <${Panel} title="Duplicates per operation, last 10 minutes"><${Timeline} events=${events.value} until=${now.value} /><//>
      <${Producers} />
    </div>
    <${Panel} title="Keys"><${RecentKeys} /><//>`;
}

function RecentKeys() {
  const found = useAnswer((stop) => get("keys", { limit: 12 }, { signal: stop }), [Math.floor(happened.value / 5)], 5000);
  return html`<${Trouble} error=${found.error} /><${KeyTable} keys=${found.data?.keys ?? []} />
    <p><a href=${link("keys")}>All keys, search and filter</a></p>`;
}
