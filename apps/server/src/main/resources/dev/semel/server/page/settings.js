// Settings of each operation; every process applies a change within seconds.
import { html, useState } from "./vendor.js";
import { change, curl, get, mayChange } from "./api.js";
import { attempt, ask, copy, Drawer, go, here, Panel, route, State, Table, Trouble, useAnswer } from "./parts.js";
import { count, percent, shown, words } from "./text.js";

/** Each setting: its choices or an example, and its meaning. A test compares the names with the server's. */
export const SETTINGS = [
  ["mode", ["enforce", "observe", "off"], "enforce, observe (count duplicates, let them run) or off"],
  ["lease", "30s", "how long a claim holds without renewal"],
  ["max-hold", "1h", "how long a claim is renewed at most"],
  ["retention", "24h", "how long a record is kept"],
  ["wait", "5s", "how long a duplicate waits for the first one's result; 0s: not at all"],
  ["takeover", ["in-doubt", "run-again"], "when a holder let its lease end without a word"],
  ["on-failure", ["release", "store"], "release (a retry runs) or store (a failure is final and replayed)"],
  ["on-outage", ["fail-closed", "warn-and-continue"], "while the store is away"],
  ["max-response", "1048576", "how many bytes of a response are kept at most"],
  ["strategy", "hybrid(a,b.c)", "how a JSON body gets its key"],
  ["shadow", "content-hash(a)", "a second strategy that is only compared with the first"],
  ["workers", "4", "how many jobs of this queue a process runs at a time; 0: none"],
  ["max-attempts", "5", "how often a job of this queue is tried before it is a dead letter"],
  ["mask-ids", ["true", "false"], "true: the event log keeps ids of this operation only as hashes"],
];

export function Settings() {
  const { params } = route.value;
  const found = useAnswer((stop) => get("queues", {}, { signal: stop }), [], 5000);
  const queues = found.data?.queues ?? [];
  const chosen = params.get("operation");
  const add = async () => {
    const name = await ask({ title: "Settings for an operation", field: "Operation", text: "One that was not used yet can be set too.", action: "Go on" });
    if (name) go(here({ operation: name }));
  };
  return html`
    <${Panel} title="Operations and settings" aside=${mayChange() && html`<button type="button" onClick=${add}>Another operation…</button>`}>
      <${Trouble} error=${found.error} />
      <${Table} label="Operations" columns=${["Operation", "Mode", "Requests", "Duplicates", "Hit rate", "Settings", "Version"]} empty="No operation was used or set.">
        ${queues.map((each) => html`<tr key=${each.operation}><td><a href=${here({ operation: each.operation })}>${each.operation}</a></td>
          <td><span class=${"pill " + (each.mode === "enforce" ? "good" : "warn")}>${each.mode.toUpperCase()}</span></td>
          <td>${count(each.requests)}</td><td>${count(each.duplicates)}</td><td>${percent(each.duplicates, each.requests)}</td>
          <td class="mono">${Object.entries(each.settings).map(([name, value]) => html`<span class="fact">${name}=${shown(value)}</span> `)}</td><td>${each.version}</td></tr>`)}
      <//>
    <//>
    ${chosen && found.data && html`<${Editor} key=${chosen} operation=${chosen} of=${queues.find((each) => each.operation === chosen)}
      close=${() => go(here({ operation: "" }))} changed=${found.again} />`}`;
}

function Editor({ operation, of, close, changed }) {
  const [given] = useState(of?.settings ?? {});
  const [wanted, want] = useState({});
  const value = (name) => wanted[name] ?? given[name] ?? "";
  const changes = Object.fromEntries(Object.entries(wanted).filter(([name, text]) => text !== (given[name] ?? "")).map(([name, text]) => [name, text === "" ? null : text]));
  const save = async (e) => {
    e.preventDefault();
    if (await attempt(() => change("PUT", "queues/" + encodeURIComponent(operation), { body: { settings: changes } }),
      (answer) => `${answer.operation} is at version ${answer.version}: every process has it within seconds`)) {
      changed();
      close();
    }
  };
  return html`<${Drawer} title=${"Settings of " + operation} close=${close}>
    <h2>${shown(operation)}</h2>
    ${of && html`<p><${State} of=${of.mode === "enforce" ? "ok" : "warning"} /> <span class="muted">version ${of.version}</span></p>`}
    <form class="settings" onSubmit=${save}>
      ${SETTINGS.map(([name, form, help]) => html`<label>${words(name)} <span class="muted">${help}</span>
        ${Array.isArray(form)
          ? html`<select name=${name} disabled=${!mayChange()} value=${value(name)} onChange=${(e) => want({ ...wanted, [name]: e.target.value })}>
              <option value="" selected=${value(name) === ""}>not set</option>${form.map((each) => html`<option value=${each} selected=${value(name) === each}>${each}</option>`)}</select>`
          : html`<input name=${name} disabled=${!mayChange()} placeholder=${"not set, such as " + form} value=${value(name)} onInput=${(e) => want({ ...wanted, [name]: e.target.value })} />`}</label>`)}
      <div class="actions"><button type="button" onClick=${() => copy(curl("GET", "queues"))}>Copy as curl</button>
        ${mayChange() && html`<button type="submit" class="main" disabled=${Object.keys(changes).length === 0}>Save</button>`}</div>
    </form>
  <//>`;
}
