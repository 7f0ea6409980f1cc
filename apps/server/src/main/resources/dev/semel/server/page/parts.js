// Components that several views share.
import { html, signal, useEffect, useRef, useState } from "./vendor.js";
import { change, get, mayChange } from "./api.js";
import { count, editable, shown, words } from "./text.js";

// ---- the current view: #/keys?text=pay&key=…

function parse() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?", 2);
  return { view: path || "overview", params: new URLSearchParams(query ?? "") };
}

export const route = signal(parse());
addEventListener("hashchange", () => (route.value = parse()));

export function link(view, params = {}) {
  const given = Object.entries(params).filter(([, value]) => value !== "" && value != null);
  return "#/" + view + (given.length ? "?" + new URLSearchParams(given) : "");
}

/** Changes some parameters of the current view; an empty value removes one. */
export function here(changes) {
  return link(route.value.view, { ...Object.fromEntries(route.value.params), ...changes });
}

export const go = (where) => (location.hash = where.slice(1));
/** Adds no step to the browser's history: for each letter of a search. */
export const settle = (where) => {
  history.replaceState(null, "", where);
  route.value = parse();
};

// ---- loading

/** Pause between requests for an open drawer: the last event may come after the last request. */
export const DRAWER_MILLIS = 5000;

/** Requests when `on` changes, and periodically; shows the last answer until the next one comes. */
export function useAnswer(ask, on, every = 0) {
  const [state, setState] = useState({ loading: true });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    let timer = 0;
    const run = async () => {
      try {
        const data = await ask(stop.signal);
        if (!stop.signal.aborted) setState({ data, loading: false });
      } catch (error) {
        if (!stop.signal.aborted) setState((last) => ({ data: last.data, error, loading: false }));
      }
      if (every && !stop.signal.aborted) timer = setTimeout(run, every);
    };
    void run();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [...on, turn]);
  return { ...state, again: () => setTurn((n) => n + 1) };
}

export const Trouble = ({ error }) =>
  error ? html`<p class="trouble" role="alert">${shown(error.message)}</p>` : null;

// ---- notices

export const notices = signal([]);
let noticed = 0;

export function notice(text, bad = false) {
  const id = ++noticed;
  notices.value = [...notices.value, { id, text, bad }].slice(-4);
  setTimeout(() => (notices.value = notices.value.filter((each) => each.id !== id)), 8000);
}

export const Notices = () => html`
  <div class="notices" role="status" aria-live="polite">
    ${notices.value.map((each) => html`<p key=${each.id} class=${each.bad ? "bad" : ""}>${shown(each.text)}</p>`)}
  </div>`;

/** Runs an action and shows a notice with its result. */
export async function attempt(task, done) {
  try {
    const answer = await task();
    notice(done(answer));
    return true;
  } catch (e) {
    notice(e.message, true);
    return false;
  }
}

// ---- questions

const question = signal(null);

/** Asks in a dialog; returns null if the user cancels, else the typed text (or an empty one). */
export const ask = (about) => new Promise((answer) => (question.value = { ...about, answer }));

/**
 * A bulk change: asks the server for the number, then the user, then changes exactly that many.
 *
 * @param about title, text (of the number), action (the button's word)
 */
export async function confirmMany(method, path, given, about, done) {
  const how = (more) => (method === "DELETE" ? { query: { ...given, ...more } } : { body: { ...given, ...more } });
  let expect = 0;
  try {
    expect = (await change(method, path, how({ dry_run: true }))).count;
  } catch (e) {
    notice(e.message, true);
    return false;
  }
  if (expect === 0) {
    notice("There is nothing to do: none matches.");
    return false;
  }
  if ((await ask({ title: about.title, text: about.text(expect), action: about.action, danger: about.danger })) === null) {
    return false;
  }
  return attempt(() => change(method, path, how({ expect })), done);
}

/**
 * Retries a dead letter with another payload: shows the stored one, and sends the edited one.
 *
 * @param payload where it is stored: path and query
 * @param retry where to send it: path, and the members that name the dead letter
 */
export async function editAndRetry(payload, retry, text) {
  let kept;
  try {
    kept = editable((await get(...payload)).base64);
  } catch (e) {
    notice(e.message, true);
    return false;
  }
  const typed = await ask({ title: "Edit and retry", field: kept.name, lines: true, value: kept.text, action: "Retry with this", text });
  const [path, members] = retry;
  return typed !== null && attempt(() => change("POST", path, { body: { ...members, payload: kept.encoded(typed) } }), () => "Back in its queue with the new payload");
}

export function Question() {
  const about = question.value;
  const box = useRef();
  const field = useRef();
  useEffect(() => {
    if (about && !box.current.open) box.current.showModal();
  }, [about]);
  if (!about) return null;
  const end = (answer) => {
    box.current?.close();
    question.value = null;
    about.answer(answer);
  };
  return html`
    <dialog ref=${box} class="question" aria-labelledby="question-title" onCancel=${(e) => { e.preventDefault(); end(null); }}>
      <form onSubmit=${(e) => { e.preventDefault(); end(field.current ? field.current.value : ""); }}>
        <h2 id="question-title">${about.title}</h2>
        <p>${about.text}</p>
        ${about.field && html`<label>${about.field}
          ${about.lines
            ? html`<textarea ref=${field} rows="12" spellcheck="false" defaultValue=${about.value ?? ""}></textarea>`
            : html`<input ref=${field} defaultValue=${about.value ?? ""} />`}</label>`}
        <div class="actions">
          <button type="button" onClick=${() => end(null)}>Cancel</button>
          <button type="submit" class=${about.danger ? "danger" : "main"}>${about.action}</button>
        </div>
      </form>
    </dialog>`;
}

// ---- the drawer

export function Drawer({ title, close, children }) {
  const box = useRef();
  useEffect(() => {
    const from = document.activeElement;
    const dialog = box.current;
    if (!dialog.open) dialog.showModal();
    return () => {
      dialog.close(); // an open dialog keeps the focus from everything behind it
      from?.focus?.();
    };
  }, []);
  return html`
    <dialog ref=${box} class="drawer" aria-label=${title}
        onCancel=${(e) => { e.preventDefault(); close(); }}
        onClick=${(e) => e.target === box.current && close()}>
      <div class="drawer-inside">
        <button type="button" class="close" onClick=${close}>Close</button>
        ${children}
      </div>
    </dialog>`;
}

// ---- small things

export const Panel = ({ title, children, aside }) => html`
  <section class="panel" aria-label=${title}>
    <header><h2>${title}</h2>${aside}</header>${children}
  </section>`;

const TONES = {
  completed: "good", ok: "good", published: "good", firing: "bad", resolved: "good", away: "bad", warning: "warn",
  in_flight: "warn", processing: "warn", pending: "blue", in_doubt: "bad", "in-doubt": "bad", failed: "bad", dead: "bad",
  released: "muted", critical: "bad", closed: "muted", open: "good",
};
export const State = ({ of }) => html`<span class=${"state " + (TONES[of] ?? "muted")}>${words(of)}</span>`;

/** A table that the keyboard can scroll if it is wider than the window. */
export const Table = ({ label, columns, children, empty }) => html`
  <div class="scroll" role="region" aria-label=${label} tabindex="0">
    <table>
      <thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${children?.length === 0 ? html`<tr><td colspan=${columns.length} class="empty">${empty ?? "Nothing."}</td></tr>` : children}</tbody>
    </table>
  </div>`;

export const Choice = ({ label, value, options, onChange }) => html`
  <label>${label}
    <select value=${value} onChange=${(e) => onChange(e.target.value)}>
      ${options.map(([text, name]) => html`<option value=${text} selected=${text === value}>${name}</option>`)}
    </select></label>`;

/** Reports the typed text once typing pauses. */
export function Search({ label, value, onChange, placeholder }) {
  const timer = useRef(0);
  const box = useRef();
  useEffect(() => {
    if (document.activeElement !== box.current) box.current.value = value;
  }, [value]);
  return html`<label>${label}
    <input ref=${box} type="search" placeholder=${placeholder ?? ""} defaultValue=${value} autocomplete="off" spellcheck="false"
      onInput=${(e) => {
        clearTimeout(timer.current);
        const text = e.target.value;
        timer.current = setTimeout(() => onChange(text), 200);
      }} /></label>`;
}

export const Facts = ({ of }) => html`<dl class="facts">
  ${of.filter(([, value]) => value !== "" && value != null && value !== "–").map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

/** A listing that grows; it starts again with the first page whenever `on` changes. */
export function usePages(ask, on) {
  const [more, setMore] = useState([]);
  const first = useAnswer((stop) => ask("", stop), on);
  useEffect(() => setMore([]), on);
  const pages = [first.data, ...more].filter(Boolean);
  const next = pages.at(-1)?.next;
  return {
    ...first,
    pages,
    next,
    further: async () => {
      const page = await ask(next).catch((e) => notice(e.message, true));
      if (page) setMore([...more, page]);
    },
    again: () => {
      setMore([]);
      first.again();
    },
  };
}

export const More = ({ list }) =>
  list.next ? html`<p><button type="button" onClick=${list.further}>More</button></p>` : null;

/** Shows a button only to users with the right to change. */
export const Change = ({ children, ...rest }) =>
  mayChange() ? html`<button type="button" ...${rest}>${children}</button>` : null;

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    notice("Copied: " + text);
  } catch {
    await ask({ title: "Copy this", text: "The browser does not let pages copy here.", field: "Command", value: text, action: "Done" });
  }
}

export const many = (n, one, several = one + "s") => count(n) + " " + (n === 1 ? one : several);
