// Calls of the admin API. If the server needs a token, only this tab stores it, and no address contains it.
import { signal } from "./vendor.js";
import { shellWord } from "./text.js";

const ROOT = new URL("./api/v1/", document.baseURI).pathname;
const STREAMS = new URL("./v1/stream/", document.baseURI).pathname;
const KEPT = "semel-token";

let token = sessionStorage.getItem(KEPT) ?? "";

/** The caller's identity; null until it is known. */
export const me = signal(null);

/** Why the page asks for a token; empty: it does not. */
export const tokenWanted = signal("");

export const mayChange = () => me.value?.role === "admin";

/** The server's refusal, with its message. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? "the server answered " + status);
    this.status = status;
  }
}

/** The server can't be reached. */
export class Away extends Error {}

export const address = (path, query = {}) => {
  const given = Object.entries(query).filter(([, value]) => value !== "" && value != null);
  return ROOT + path + (given.length ? "?" + new URLSearchParams(given) : "");
};

export const streamAddress = (path, query) =>
  STREAMS + path.split("/").map(encodeURIComponent).join("/") + (query ? "?" + new URLSearchParams(query) : "");

const headers = (more = {}) => (token ? { ...more, Authorization: "Bearer " + token } : more);

async function send(url, options) {
  let answer;
  try {
    answer = await fetch(url, { cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer", ...options });
  } catch (e) {
    if (e.name === "AbortError") throw e;
    throw new Away("the server can't be reached");
  }
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => ({}));
  if (answer.status === 401) {
    tokenWanted.value = token ? "The server does not know this token." : "This server wants a token.";
  }
  throw new Refused(answer.status, problem);
}

export async function get(path, query, options = {}) {
  const answer = await send(address(path, query), { headers: headers(), ...options });
  return answer.json();
}

/** @param body members of POST and PUT; DELETE has its parameters in the query */
export async function change(method, path, { query, body } = {}) {
  const answer = await send(address(path, query), {
    method,
    headers: headers(body ? { "Content-Type": "application/json" } : {}),
    body: body ? JSON.stringify(body) : undefined,
  });
  return answer.json();
}

/** Requests the caller's identity, with another token if one is given. */
export async function signIn(candidate) {
  if (candidate !== undefined) token = candidate;
  try {
    me.value = await get("whoami");
    tokenWanted.value = "";
    if (token) sessionStorage.setItem(KEPT, token);
  } catch (e) {
    if (e instanceof Refused && e.status === 403) tokenWanted.value = "This token gives no right to see this server.";
    if (e instanceof Refused && candidate !== undefined) {
      token = "";
      sessionStorage.removeItem(KEPT);
    }
    throw e;
  }
}

export function signOut() {
  token = "";
  sessionStorage.removeItem(KEPT);
  location.reload();
}

export const hasToken = () => token !== "";

/** A call as a command for a shell, which takes the token from a variable. */
export function curl(method, path, query) {
  return "curl -s" + (method === "GET" ? "" : " -X " + method)
    + (token ? ' -H "Authorization: Bearer $SEMEL_TOKEN"' : "")
    + " " + shellWord(location.origin + address(path, query));
}

/**
 * Server-sent events by fetch, because an EventSource can't send a token.
 *
 * @param each called for every event: its name, its data, its id
 */
export async function follow(url, { lastId, signal: stop, opened, each }) {
  const answer = await send(url, {
    headers: headers(lastId ? { "Last-Event-ID": lastId, Accept: "text/event-stream" } : { Accept: "text/event-stream" }),
    signal: stop,
  });
  opened?.(answer);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let name = "message";
  let data = [];
  let id = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const raw of lines) {
      const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
      if (line === "") {
        if (data.length) each(name, data.join("\n"), id);
        name = "message";
        data = [];
      } else if (!line.startsWith(":")) {
        const colon = line.indexOf(":");
        const field = colon < 0 ? line : line.slice(0, colon);
        const text = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
        if (field === "data") data.push(text);
        else if (field === "event") name = text;
        else if (field === "id") id = text;
      }
    }
  }
}
