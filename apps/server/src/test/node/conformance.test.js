import { runConformanceTests } from "@durable-streams/server-conformance-tests";

runConformanceTests({
  baseUrl: process.env.SEMEL_URL,
  longPollTimeoutMs: Number(process.env.SEMEL_LONG_POLL_MS ?? 2000),
  subscriptions: true,
});
