// The frame around the views: navigation, age of the data, and the token if the server needs one.
import { html, render, useEffect, useState } from "./vendor.js";
import { hasToken, me, signIn, signOut, tokenWanted } from "./api.js";
import { alerts, asOf, begin, live, stats } from "./live.js";
import { link, Notices, Question, route } from "./parts.js";
import { time } from "./text.js";
import { nextTheme, theme } from "./theme.js";
import { Overview } from "./overview.js";
import { Keys } from "./keys.js";

/** The first views come with the page; the browser loads the others when the user opens them. */
function later(file, name) {
  let Loaded = null;
  return () => {
    const [trouble, tell] = useState("");
    const [, there] = useState(Loaded);
    useEffect(() => {
      if (!Loaded) import(file).then((module) => there((Loaded = module[name]) && name)).catch(() => tell("This view can't be loaded: the server is away. Reload the page."));
    }, []);
    if (Loaded) return html`<${Loaded} />`;
    return html`<p class=${trouble ? "trouble" : "muted"}>${trouble || "Loading…"}</p>`;
  };
}

const VIEWS = [
  ["overview", "Overview", Overview],
  ["keys", "Keys", Keys],
  ["outbox", "Outbox", later("./messages.js", "Outbox")],
  ["inbox", "Inbox", later("./messages.js", "Inbox")],
  ["jobs", "Jobs", later("./jobs.js", "Jobs")],
  ["streams", "Streams", later("./streams.js", "Streams")],
  ["alerts", "Alerts", later("./watch.js", "Alerts")],
  ["audit", "Audit", later("./watch.js", "Audit")],
  ["settings", "Settings", later("./settings.js", "Settings")],
  ["health", "Health", later("./watch.js", "Health")],
];

function Freshness() {
  if (live.value) return html`<span class="pill good" id="freshness">● live</span>`;
  return html`<span class="pill warn" id="freshness">${asOf.value ? "○ as of " + time(asOf.value) : "○ connecting"}</span>`;
}

function Header() {
  const firing = alerts.value.filter((each) => each.state === "firing").length;
  return html`<header class="top">
    <a class="skip" href="#content" onClick=${(e) => { e.preventDefault(); document.getElementById("content").focus(); }}>Skip to content</a>
    <a class="mark" href=${link("overview")}><span aria-hidden="true">◉</span> semel</a>
    <nav aria-label="Views">${VIEWS.map(([name, title]) => html`<a href=${link(name)} aria-current=${route.value.view === name ? "page" : undefined}>${title}</a>`)}</nav>
    <div class="pills">
      <${Freshness} />
      ${me.value?.role === "read" && html`<span class="pill">read only</span>`}
      ${firing > 0 && html`<a class="pill warn" href=${link("alerts")}>▲ ${firing} ${firing === 1 ? "alert" : "alerts"}</a>`}
      <button type="button" class="pill" onClick=${nextTheme} aria-label=${"Theme: " + theme.value}>${{ system: "◐", light: "○", dark: "●" }[theme.value]} ${theme.value}</button>
      ${hasToken() && html`<button type="button" class="pill" onClick=${signOut}>Sign out</button>`}
    </div></header>`;
}

function Door() {
  const [trouble, tell] = useState("");
  const enter = async (e) => {
    e.preventDefault();
    const field = e.target.elements.token;
    try {
      await signIn(field.value.trim());
    } catch (problem) {
      tell(problem.message);
      field.select();
    }
  };
  return html`<main class="door"><h1><span aria-hidden="true">◉</span> semel</h1>
    <form onSubmit=${enter}><p>${tokenWanted.value}</p>
      <label>Token <input name="token" type="password" autocomplete="off" autofocus /></label>
      ${trouble && html`<p class="trouble" role="alert">${trouble}</p>`}
      <p class="muted">It is kept for this tab alone, and sent to this server alone.</p>
      <div class="actions"><button type="submit" class="main">Go on</button></div></form></main>`;
}

function App() {
  const [away, setAway] = useState("");
  useEffect(() => {
    let timer = 0;
    const knock = () => signIn().then(() => setAway("")).catch((e) => {
      if (!tokenWanted.value) {
        setAway(e.message);
        timer = setTimeout(knock, 2000);
      }
    });
    knock();
    return () => clearTimeout(timer);
  }, []);
  const known = me.value;
  useEffect(() => {
    if (known) void begin();
  }, [known]);
  const [, title, View] = VIEWS.find(([name]) => name === route.value.view) ?? ["", "Nothing here", () => html`<p>There is no such view.</p>`];
  useEffect(() => {
    document.title = title + " · Semel";
  }, [title]);
  if (tokenWanted.value) return html`<${Door} />`;
  return html`<${Header} />
    <main id="content" tabindex="-1" aria-label=${title}>${known ? html`<${View} />` : html`<p>${away || "Asking the server…"}</p>`}</main>
    <footer>${stats.value && html`<span class="mono">${stats.value.store}</span>`}</footer>
    <${Notices} /><${Question} />`;
}

const root = document.getElementById("page");
root.textContent = "";
render(html`<${App} />`, root);
