// Messages of the outbox, before the broker, and of the inbox, behind it.
import { html } from "./vendor.js";
import { change, curl, get } from "./api.js";
import { happened, has, outbox } from "./live.js";
import {
  ask, attempt, Change, Choice, confirmMany, copy, editAndRetry, go, here, many, More, Panel, route, Search, settle, State, Table, Trouble, useAnswer, usePages,
} from "./parts.js";
import { ago, bytes, count, dateTime, duration, shown } from "./text.js";

const OUTBOX_STATES = [["pending", "pending"], ["dead", "dead letters"], ["published", "published"]];
const INBOX_STATES = [["pending", "pending"], ["dead", "dead letters"], ["in_doubt", "in doubt"]];

const Missing = ({ what }) => html`<${Panel} title=${what}><p class="empty">There is none here: start the server with --database.</p><//>`;

function Messages({ messages, act }) {
  return html`<${Table} label="Messages" columns=${["Id", "Destination", "Order", "Type", "State", "Tries", "Since", "Reason", ""]} empty="No such message.">
    ${messages.map((each) => html`<tr key=${each.id}>
      <td class="mono">${shown(each.id)}</td><td>${shown(each.destination)}</td><td class="mono">${shown(each.ordering_key)}</td>
      <td>${shown(each.type)} <span class="muted">${bytes(each.payload_bytes)}</span></td><td><${State} of=${each.state} /></td>
      <td>${each.attempts}</td><td class="muted"><time datetime=${each.since}>${dateTime(each.since)}</time></td><td class="reason">${shown(each.reason)}</td>
      <td>${act(each)}</td></tr>`)}
  <//>`;
}

export function Outbox() {
  const { params } = route.value;
  const filter = { state: params.get("state") ?? "pending", destination: params.get("destination") ?? "", id: params.get("id") ?? "" };
  const there = has("outbox");
  const list = usePages(
    (cursor, stop) => (there ? get("outbox/events", { ...filter, cursor, limit: 100 }, { signal: stop }) : Promise.resolve({ messages: [] })),
    [there, filter.state, filter.destination, filter.id, Math.floor(happened.value / 10)]);
  if (!there) return html`<${Missing} what="Outbox" />`;
  const status = outbox.value;
  const { state, ...chosen } = filter;
  const given = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value));
  const bulk = async (method, path, more, about, done) => (await confirmMany(method, path, { ...given, ...more }, about, done)) && list.again();
  const retry = (one) => bulk("POST", "outbox/retry", one ? { id: one } : {}, {
    title: "Retry?", action: "Retry",
    text: (n) => `${many(n, "message")}: dead letters go back into the queue, failing messages are tried at once.`,
  }, (answer) => `${many(answer.retried, "message")} given back`);
  const edit = async ({ id, destination }) => (await editAndRetry([`outbox/events/${encodeURIComponent(id)}/payload`, { destination }], ["outbox/retry", { id, destination }],
    `${shown(id)} keeps its id and goes to the end of the queue, as new, with this payload. Whoever heard it before drops it.`)) && list.again();
  const replay = () => bulk("POST", "outbox/replay", {}, {
    title: "Send again?", action: "Replay",
    text: (n) => `${many(n, "published message")} will be sent once more with the same ids: whoever heard them drops them.`,
  }, (answer) => `${many(answer.replayed, "message")} will be sent again`);
  const purge = () => bulk("DELETE", "outbox/events", { state }, {
    title: "Delete these messages?", action: "Delete", danger: true, text: (n) => `${many(n, "message")} will be deleted. This can't be undone.`,
  }, (answer) => `${many(answer.deleted, "message")} deleted`);
  return html`
    ${status && html`<${Panel} title="Outbox">
      <p class="figures"><span><strong>${count(status.pending)}</strong> pending</span><span><strong>${count(status.failing)}</strong> failing</span>
        <span><strong>${count(status.in_flight)}</strong> in flight</span><span><strong class=${status.dead ? "bad" : ""}>${count(status.dead)}</strong> dead</span>
        <span><strong>${count(status.kept)}</strong> kept</span><span>oldest <strong>${status.oldest_ms == null ? "none" : duration(status.oldest_ms)}</strong></span></p>
      <${Table} label="Relays" columns=${["Relay", "Partitions", "Published", "Dropped by broker", "Failed", "Per second", "Seen"]} empty="No relay runs.">
        ${status.relays.map((each) => html`<tr key=${each.relay}><td class="mono">${shown(each.relay)}</td><td>${each.partitions}</td><td>${count(each.published)}</td>
          <td>${count(each.duplicates)}</td><td>${count(each.failed)}</td><td>${each.per_second.toFixed(1)}</td><td class="muted">${ago(each.last_seen_ms)}</td></tr>`)}
      <//>
    <//>`}
    <${Panel} title="Messages">
      <form class="filters" role="search" onSubmit=${(e) => e.preventDefault()}>
        <${Choice} label="State" value=${state} options=${OUTBOX_STATES} onChange=${(to) => go(here({ state: to }))} />
        <${Search} label="Destination" value=${filter.destination} onChange=${(destination) => settle(here({ destination }))} />
        <${Search} label="Id" value=${filter.id} onChange=${(id) => settle(here({ id }))} />
        ${state === "published" ? html`<${Change} onClick=${replay}>Replay all of these…<//>` : html`<${Change} onClick=${() => retry()}>Retry all…<//>`}
        ${state !== "pending" && html`<${Change} class="danger" onClick=${purge}>Delete all of these…<//>`}
        <button type="button" onClick=${() => copy(curl("GET", "outbox/events", filter))}>Copy as curl</button>
      </form>
      <${Trouble} error=${list.error} />
      <${Messages} messages=${list.pages.flatMap((each) => each.messages)} act=${(each) => each.state !== "published"
        && html`<${Change} onClick=${() => retry(each.id)}>Retry<//>${each.state === "dead" && html` <${Change} onClick=${() => edit(each)}>Edit and retry…<//>`}`} />
      <${More} list=${list} />
    <//>`;
}

export function Inbox() {
  const { params } = route.value;
  const there = has("inbox");
  const status = useAnswer((stop) => (there ? get("inbox", {}, { signal: stop }) : Promise.resolve(null)), [there], 3000);
  const consumers = status.data?.consumers ?? [];
  const consumer = params.get("consumer") ?? consumers[0]?.consumer ?? "";
  const state = params.get("state") ?? "dead";
  const list = usePages(
    (cursor, stop) => (consumer ? get("inbox/events", { consumer, state, cursor, limit: 100 }, { signal: stop }) : Promise.resolve({ messages: [] })),
    [consumer, state, Math.floor(happened.value / 10)]);
  if (!there) return html`<${Missing} what="Inbox" />`;
  const after = (went) => went && (list.again(), status.again());
  const retry = async (id) => after(id
    ? await attempt(() => change("POST", "inbox/retry", { body: { consumer, id } }), () => "Given back to its worker")
    : await confirmMany("POST", "inbox/retry", { consumer }, { title: "Retry all dead letters?", action: "Retry",
        text: (n) => `${many(n, "dead letter")} of ${consumer} go back to its workers.` },
      (answer) => `${many(answer.retried, "message")} given back`));
  const edit = async (id) => after(await editAndRetry([`inbox/events/${encodeURIComponent(id)}/payload`, { consumer }], ["inbox/retry", { consumer, id }],
    `${shown(id)} keeps its id and goes to the end of the queue, as new, with this payload. It takes effect once.`));
  const purge = async () => after(await confirmMany("DELETE", "inbox/events", { consumer }, {
    title: "Delete dead letters?", action: "Delete", danger: true, text: (n) => `${many(n, "dead letter")} of ${consumer} will be deleted. This can't be undone.`,
  }, (answer) => `${many(answer.deleted, "message")} deleted`));
  const forget = async (id) => {
    if ((await ask({ title: "Forget this id?", text: `The message ${shown(id)} takes effect when it comes again.`, action: "Forget", danger: true })) === null) return;
    after(await attempt(() => change("POST", "inbox/forget", { body: { consumer, id } }), () => "Forgotten"));
  };
  return html`
    <${Panel} title="Inbox">
      <${Trouble} error=${status.error} />
      ${status.data?.says?.map((each) => html`<p class="trouble">${shown(each)}</p>`)}
      <${Table} label="Consumers" columns=${["Consumer", "Ids kept", "Pending", "Failing", "Dead", "In doubt", "Oldest"]} empty="No consumer was seen.">
        ${consumers.map((each) => html`<tr key=${each.consumer}><td><a href=${here({ consumer: each.consumer })}>${shown(each.consumer)}</a></td><td>${count(each.ids)}</td>
          <td>${count(each.pending)}</td><td>${count(each.failing)}</td><td class=${each.dead ? "bad" : ""}>${count(each.dead)}</td>
          <td class=${each.in_doubt ? "bad" : ""}>${count(each.in_doubt)}</td><td class="muted">${duration(each.oldest_ms)}</td></tr>`)}
      <//>
    <//>
    ${consumer && html`<${Panel} title=${"Messages of " + shown(consumer)}>
      <form class="filters" onSubmit=${(e) => e.preventDefault()}>
        <${Choice} label="State" value=${state} options=${INBOX_STATES} onChange=${(to) => go(here({ consumer, state: to }))} />
        <${Change} onClick=${() => retry()}>Retry all dead letters…<//>
        <${Change} class="danger" onClick=${purge}>Delete dead letters…<//>
        <button type="button" onClick=${() => copy(curl("GET", "inbox/events", { consumer, state }))}>Copy as curl</button>
      </form>
      <${Trouble} error=${list.error} />
      <${Messages} messages=${list.pages.flatMap((each) => each.messages)} act=${(each) => (each.state === "in-doubt" || each.state === "in_doubt"
        ? html`<${Change} onClick=${() => forget(each.id)}>Forget…<//>` : html`<${Change} onClick=${() => retry(each.id)}>Retry<//>${each.state === "dead" && html` <${Change} onClick=${() => edit(each.id)}>Edit and retry…<//>`}`)} />
      <${More} list=${list} />
    <//>`}`;
}
