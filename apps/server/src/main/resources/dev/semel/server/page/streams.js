// Streams, their producers, and a live tail.
import { html, useEffect, useState } from "./vendor.js";
import { change, follow, get, streamAddress } from "./api.js";
import { ask, attempt, Change, here, go, many, More, Panel, route, Search, settle, State, Table, Trouble, useAnswer, usePages } from "./parts.js";
import { ago, fromBase64, shown, shownLines, time } from "./text.js";

/** Limit of shown messages of a live tail. */
const SHOWN = 200;
/** Limit of shown characters of a message. */
const LONGEST = 2000;

async function page(prefix, after, stop) {
  return get("streams", { prefix, after, limit: 100 }, { signal: stop });
}

export function Streams() {
  const { params } = route.value;
  const prefix = params.get("prefix") ?? "";
  const stream = params.get("stream");
  const list = usePages((after, stop) => page(prefix, after, stop), [prefix]);
  return html`
    <${Panel} title="Streams">
      <form class="filters" role="search" onSubmit=${(e) => e.preventDefault()}>
        <${Search} label="Begins with" value=${prefix} onChange=${(to) => settle(here({ prefix: to }))} />
        <button type="button" onClick=${list.again}>Refresh</button>
      </form>
      <${Trouble} error=${list.error} />
      <${Table} label="Streams" columns=${["Stream", "Type", "Tail", "State", "Ends"]} empty="No stream.">
        ${list.pages.flatMap((each) => each.streams).map((each) => html`<tr key=${each.path}>
          <td class="mono"><a href=${here({ stream: each.path })} aria-current=${each.path === stream ? "true" : undefined}>${shown(each.path)}</a></td>
          <td>${shown(each.content_type)}</td><td class="mono">${each.tail}</td><td><${State} of=${each.closed ? "closed" : "open"} /></td>
          <td class="muted">${each.expiresAt ?? (each.ttlSeconds ? many(each.ttlSeconds, "second") + " idle" : "never")}</td></tr>`)}
      <//>
      <${More} list=${list} />
    <//>
    ${stream && html`<${Producers} key=${"p" + stream} stream=${stream} /><${Tail} key=${"t" + stream} stream=${stream} />`}`;
}

function Producers({ stream }) {
  const found = useAnswer((stop) => get("producers", { stream }, { signal: stop }), [stream], 2000);
  const fence = async (each) => {
    if ((await ask({ title: "Fence this producer?", action: "Fence", danger: true,
      text: `Whoever writes to ${shown(stream)} as ${shown(each.id)} with epoch ${each.epoch} or lower is refused from now on: a zombie can't append any more.` })) === null) return;
    await attempt(() => change("POST", "producers/fence", { body: { stream, id: each.id, epoch: each.epoch + 1, managed: each.managed } }),
      () => "Epochs below " + (each.epoch + 1) + " are fenced");
    found.again();
  };
  return html`<${Panel} title=${"Producers of " + shown(stream)}>
    <${Trouble} error=${found.error} />
    <${Table} label="Producers" columns=${["Producer", "Epoch", "Last sequence", "Fenced zombies", "Last used", ""]} empty="Nobody has written with a producer id.">
      ${(found.data?.producers ?? []).map((each) => html`<tr key=${each.id + each.managed}><td class="mono">${shown(each.id)}${each.managed && html` <span class="muted">server-managed</span>`}</td>
        <td>${each.epoch}</td><td>${each.last_seq ?? "–"}</td><td class="violet">${each.epoch > 0 ? "epochs below " + each.epoch : "none yet"}</td>
        <td class="muted">${ago(Date.now() - Date.parse(each.last_used))}</td><td><${Change} class="danger" onClick=${() => fence(each)}>Fence…<//></td></tr>`)}
    <//>
  <//>`;
}

function Tail({ stream }) {
  const [lines, setLines] = useState([]);
  const [state, setState] = useState("connecting");
  const [paused, pause] = useState(false);
  useEffect(() => {
    if (paused) return;
    const stop = new AbortController();
    let offset = "now";
    const run = async () => {
      while (!stop.signal.aborted) {
        try {
          let base64 = false;
          await follow(streamAddress(stream, { offset, live: "sse" }), {
            signal: stop.signal,
            opened: (answer) => {
              base64 = answer.headers.get("Stream-SSE-Data-Encoding") === "base64";
              setState("live");
            },
            each: (name, data) => {
              if (name === "control") {
                const told = JSON.parse(data);
                offset = told.streamNextOffset ?? offset;
                if (told.streamClosed) {
                  setState("closed");
                  stop.abort();
                }
              } else if (data !== "[]") {
                const text = base64 ? fromBase64(data) : data;
                setLines((last) => [...last, { at: Date.now(), text: text.slice(0, LONGEST) }].slice(-SHOWN));
              }
            },
          });
        } catch (e) {
          if (stop.signal.aborted) return;
          setState(e.message);
        }
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    };
    void run();
    return () => stop.abort();
  }, [stream, paused]);
  return html`<${Panel} title=${"Live tail of " + shown(stream)} aside=${html`<span class="muted">${paused ? "paused" : shown(state)}</span>`}>
    <div class="filters"><button type="button" aria-pressed=${paused} onClick=${() => pause(!paused)}>${paused ? "Go on" : "Pause"}</button>
      <button type="button" onClick=${() => setLines([])}>Clear</button>
      <button type="button" onClick=${() => go(here({ stream: "" }))}>Close the tail</button></div>
    <div class="tail mono" role="log" aria-label="Messages" tabindex="0">
      ${lines.length === 0 && html`<p class="empty">Nothing came yet.</p>`}
      ${lines.map((each) => html`<p><span class="muted">${time(each.at)}</span> ${shownLines(each.text)}</p>`)}
    </div>
  <//>`;
}
