// Live data: counts once a second, events as they come. Shared by all views.
import { computed, signal } from "./vendor.js";
import { address, Away, follow, get, me, Refused } from "./api.js";

/** Limit of events for the timeline and the tail of the log. */
const MAX_EVENTS = 4000;
/** Seconds that the plot shows. */
const PLOTTED = 300;
const STATS_EVERY = 1000;
const FRESH = 6000;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10_000;
const EVENTS_AT_START = 1000;

/** The server's configuration; null until it is loaded. */
export const config = signal(null);
/** Whether there is an outbox, an inbox or jobs. */
export const has = (part) => config.value?.parts.includes(part) ?? false;
export const stats = signal(null);
export const outbox = signal(null);
export const alerts = signal([]);
export const events = signal([]);
/** Requests and duplicates of each second: [times, requests, duplicates]. */
export const rates = signal([[], [], []]);
export const connected = signal(false);
/** Arrival of the server's last counts, on this machine's clock. */
export const asOf = signal(0);
export const now = signal(Date.now());
export const live = computed(() => connected.value && now.value - asOf.value < FRESH);
/** Changes after every event that a listing may show. */
export const happened = signal(0);

/** Processes write their counts once a second, so a rate is the average of the last few seconds. */
const SMOOTHED = 4;
let samples = [];

function plot(answer) {
  const at = Date.parse(answer.now);
  const first = samples[0];
  if (samples.length && at <= samples.at(-1).at) return;
  if (first) {
    const seconds = (at - first.at) / 1000;
    const rate = (name) => Math.max(0, (answer.total[name] - first.total[name]) / seconds);
    const [times, requests, duplicates] = rates.value;
    rates.value = [
      [...times, at / 1000].slice(-PLOTTED),
      [...requests, rate("requests")].slice(-PLOTTED),
      [...duplicates, rate("duplicates")].slice(-PLOTTED),
    ];
  }
  samples = [...samples, { at, total: answer.total }].slice(-SMOOTHED);
}

async function readStats() {
  const answer = await get("stats");
  plot(answer);
  stats.value = answer;
  asOf.value = Date.now();
}

async function readOutbox() {
  if (has("outbox")) outbox.value = await get("outbox");
}

async function readAlerts() {
  alerts.value = (await get("alerts")).alerts;
}

const quietly = (task) => task().catch(() => {});

/** Requests one after the other, so that they don't pile up at a slow server. */
function repeat(task, every) {
  const again = async () => {
    if (me.value && !document.hidden) await quietly(task);
    setTimeout(again, every);
  };
  void again();
}

const waiting = [];
function take(fresh) {
  waiting.push(...fresh);
  if (waiting.length === fresh.length) {
    requestAnimationFrame(() => {
      events.value = [...events.value, ...waiting.splice(0)].slice(-MAX_EVENTS);
      happened.value++;
    });
  }
}

async function followEvents() {
  let lastId = "";
  let pause = FIRST_PAUSE;
  for (;;) {
    try {
      if (!lastId) events.value = (await get("audit", { limit: EVENTS_AT_START })).events;
      await follow(address("events"), {
        lastId,
        opened: () => {
          connected.value = true;
          pause = FIRST_PAUSE;
        },
        each: (name, data, id) => {
          if (name === "message") take([JSON.parse(data)]);
          lastId = id;
        },
      });
    } catch (e) {
      if (!(e instanceof Away || e instanceof Refused || e instanceof TypeError)) console.warn("events:", e.message);
      if (e instanceof Refused && e.status === 400) lastId = ""; // the server has a different log now
    }
    connected.value = false;
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(LONGEST_PAUSE, pause * 2);
  }
}

let begun = false;

/** Starts once the caller's identity is known. */
export async function begin() {
  if (begun) return;
  begun = true;
  await quietly(async () => (config.value = await get("config")));
  setInterval(() => (now.value = Date.now()), 1000);
  repeat(readStats, STATS_EVERY);
  repeat(readOutbox, 2000);
  repeat(readAlerts, 5000);
  void followEvents();
}
