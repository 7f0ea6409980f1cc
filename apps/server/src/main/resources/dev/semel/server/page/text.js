// Formats numbers, times and texts from outside for people. Pure functions.

/** Spells out characters that are invisible, or change how others are shown. */
export const shown = (text) =>
  String(text ?? "").replace(
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (letter) => "\\u" + letter.charCodeAt(0).toString(16).padStart(4, "0"));

/** Makes a text of several lines safe, and keeps its line breaks. */
export const shownLines = (text) => String(text ?? "").replaceAll("\t", "  ").split(/\r?\n/).map(shown).join("\n");

const numbers = new Intl.NumberFormat("en");
export const count = (n) => (n == null ? "–" : numbers.format(n));

export const percent = (part, whole) => (whole > 0 ? ((100 * part) / whole).toFixed(1) + " %" : "–");

export function bytes(n) {
  if (n == null) return "–";
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let at = 0;
  while (n >= 1024 && at < units.length - 1) {
    n /= 1024;
    at++;
  }
  return (at === 0 ? n : n.toFixed(1)) + " " + units[at];
}

/** Two units at most: 22 h 51 min. */
export function duration(ms) {
  if (ms == null) return "–";
  if (ms < 1000) return Math.round(ms) + " ms";
  if (ms < 60_000) return (ms / 1000).toFixed(ms < 10_000 ? 1 : 0) + " s";
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return minutes + " min";
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return hours + " h" + (minutes % 60 ? " " + (minutes % 60) + " min" : "");
  const days = Math.floor(hours / 24);
  return days + " d" + (hours % 24 ? " " + (hours % 24) + " h" : "");
}

export const ago = (ms) => duration(Math.max(0, ms)) + " ago";

const clock = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
const whole = new Intl.DateTimeFormat("en-GB", {
  year: "numeric", month: "short", day: "2-digit",
  hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
export const time = (when) => clock.format(new Date(when));
export const dateTime = (when) => whole.format(new Date(when));
export const preciseTime = (when) =>
  time(when) + "." + String(new Date(when).getMilliseconds()).padStart(3, "0");

/** Quotes a text for a shell. */
export const shellWord = (text) => "'" + text.replaceAll("'", "'\\''") + "'";

/** Indents a text if it is JSON. */
export function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

export const fromBase64 = (text) => new TextDecoder().decode(bytesOf(text));

function toBase64(text) {
  let raw = "";
  for (const byte of new TextEncoder().encode(text)) raw += String.fromCharCode(byte);
  return btoa(raw);
}

/** Bytes for an edit field: their text, or Base64 if the field would not keep every byte. */
export function editable(base64) {
  let text = null;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytesOf(base64));
  } catch {
    // not UTF-8
  }
  return text === null || /[\u0000-\u0008\u000b-\u001f\u007f]/.test(text)
    ? { name: "Payload, as Base64 because it is not plain text", text: base64, encoded: (typed) => typed.replace(/\s/g, "") }
    : { name: "Payload", text, encoded: toBase64 };
}

/** Turns in_doubt into words. */
export const words = (name) => String(name ?? "").replaceAll("_", " ").replaceAll("-", " ");
