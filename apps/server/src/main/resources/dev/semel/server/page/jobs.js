// Jobs, their queues and dead letters.
import { html } from "./vendor.js";
import { change, curl, get } from "./api.js";
import { happened, has } from "./live.js";
import {
  attempt, Change, Choice, confirmMany, copy, Drawer, DRAWER_MILLIS, editAndRetry, Facts, go, here, link, many, More, Panel, route, State, Table, Trouble, useAnswer, usePages,
} from "./parts.js";
import { bytes, count, dateTime, duration, shown, shownLines } from "./text.js";

const STATES = [["", "any state"], ["dead", "dead letters"], ["pending", "pending"], ["processing", "processing"], ["completed", "completed"], ["failed", "failed"], ["in_doubt", "in doubt"]];
const isDead = (state) => state === "failed" || state === "in_doubt";

export function Jobs() {
  const { params } = route.value;
  const there = has("jobs");
  const filter = { queue: params.get("queue") ?? "", state: params.get("state") ?? "" };
  const queues = useAnswer((stop) => (there ? get("jobs/queues", {}, { signal: stop }) : Promise.resolve({ queues: [] })), [there], 2000);
  const list = usePages(
    (cursor, stop) => (there ? get("jobs", { ...filter, cursor, limit: 100 }, { signal: stop }) : Promise.resolve({ jobs: [] })),
    [there, filter.queue, filter.state, Math.floor(happened.value / 5)]);
  if (!there) return html`<${Panel} title="Jobs"><p class="empty">There are none in this store.</p><//>`;
  const after = (went) => went && (list.again(), queues.again());
  const retryAll = async () => after(await confirmMany("POST", "jobs/retry", filter.queue ? { queue: filter.queue } : {}, {
    title: "Retry all dead letters?", action: "Retry",
    text: (n) => `${many(n, "dead letter")} ${filter.queue ? "of " + filter.queue : "of all queues"} go back into the queue, as new. Those in doubt run again too: make sure that this is right.`,
  }, (answer) => `${many(answer.retried, "job")} given back`));
  const job = params.get("job");
  return html`
    <${Panel} title="Queues">
      <${Trouble} error=${queues.error} />
      <${Table} label="Queues" columns=${["Queue", "Pending", "Delayed", "Processing", "Completed", "Failed", "In doubt", "Oldest"]} empty="No queue holds anything.">
        ${(queues.data?.queues ?? []).map((each) => html`<tr key=${each.queue}><td><a href=${here({ queue: each.queue })}>${each.queue}</a></td><td>${count(each.pending)}</td>
          <td>${count(each.delayed)}</td><td>${count(each.processing)}</td><td>${count(each.completed)}</td><td class=${each.failed ? "bad" : ""}>${count(each.failed)}</td>
          <td class=${each.in_doubt ? "bad" : ""}>${count(each.in_doubt)}</td><td class="muted">${duration(each.oldest_ms)}</td></tr>`)}
      <//>
    <//>
    <${Panel} title="Jobs">
      <form class="filters" onSubmit=${(e) => e.preventDefault()}>
        <${Choice} label="Queue" value=${filter.queue} onChange=${(queue) => go(here({ queue }))}
          options=${[["", "all queues"], ...(queues.data?.queues ?? []).map((each) => [each.queue, each.queue])]} />
        <${Choice} label="State" value=${filter.state} options=${STATES} onChange=${(state) => go(here({ state }))} />
        <${Change} onClick=${retryAll}>Retry all dead letters…<//>
        <button type="button" onClick=${() => copy(curl("GET", "jobs", filter))}>Copy as curl</button>
      </form>
      <${Trouble} error=${list.error} />
      <${Table} label="Jobs" columns=${["Job", "State", "Tries", "Enqueued", "Payload", "Why", ""]} empty="No such job.">
        ${list.pages.flatMap((each) => each.jobs).map((each) => html`<tr key=${each.key}>
          <td class="mono"><a href=${here({ job: each.key })}>${shown(each.key)}</a></td><td><${State} of=${each.state} /></td><td>${each.attempts}</td>
          <td class="muted"><time datetime=${each.enqueued}>${dateTime(each.enqueued)}</time></td><td class="muted">${bytes(each.payload_bytes)}</td>
          <td class="reason">${shown(each.reason)}</td>
          <td>${isDead(each.state) && html`<${Change} onClick=${async () => after(await retry(each.key))}>Retry<//>`}</td></tr>`)}
      <//>
      <${More} list=${list} />
    <//>
    ${job && html`<${JobDrawer} key=${job} name=${job} close=${() => go(here({ job: "" }))} changed=${() => after(true)} />`}`;
}

const retry = (key) => attempt(() => change("POST", "jobs/retry", { body: { key } }), () => "Back in its queue");

function JobDrawer({ name, close, changed }) {
  const path = "jobs/" + encodeURIComponent(name);
  const found = useAnswer((stop) => get(path, {}, { signal: stop }), [name, Math.floor(happened.value / 3)], DRAWER_MILLIS);
  const of = found.data;
  const again = (went) => went && (changed(), found.again());
  const edit = async () => again(await editAndRetry([path + "/payload"], ["jobs/retry", { key: name }],
    "The job keeps its key and goes back into its queue, as new, with this payload."));
  return html`<${Drawer} title=${"Job " + shown(name)} close=${close}>
    <h2 class="mono">${shown(name)}</h2>
    <${Trouble} error=${found.error} />
    ${of && html`<p><${State} of=${of.state} /> <span class="muted">${many(of.attempts, "try", "tries")}</span></p>
      <${Facts} of=${[["request", shown(of.id)], ["priority", of.priority], ["payload", bytes(of.payload_bytes)], ["enqueued", dateTime(of.enqueued)], ["due", dateTime(of.due)],
        ["started", of.started && dateTime(of.started)], ["ended", of.ended && dateTime(of.ended)]]} />
      ${of.trace && html`<h3>Last failure</h3><pre tabindex="0">${shownLines(of.trace)}</pre>`}
      <div class="actions">
        <a class="button" href=${link("keys", { key: name })}>Life line</a>
        <button type="button" onClick=${() => copy(curl("GET", path))}>Copy as curl</button>
        ${isDead(of.state) && html`<${Change} onClick=${edit}>Edit and retry…<//><${Change} class="main" onClick=${async () => again(await retry(name))}>Retry<//>`}
      </div>`}
  <//>`;
}
