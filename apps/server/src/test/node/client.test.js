// The protocol's official client writes and reads, so that the tests see what its users see.
import { DurableStream, IdempotentProducer, stream } from "@durable-streams/client";
import { describe, expect, test } from "vitest";

const url = (name) =>
  `${process.env.SEMEL_URL}/v1/stream/client/${name}-${Date.now()}-${Math.random().toString(36).slice(2)}`;

describe("the official client", () => {
  test("appends text and catches up", async () => {
    const handle = await DurableStream.create({ url: url("text"), contentType: "text/plain" });
    await handle.append("one,");
    await handle.append("two");
    const read = await stream({ url: handle.url, offset: "-1", live: false });
    expect(await read.text()).toBe("one,two");
  });

  test("appends JSON and reads messages", async () => {
    const handle = await DurableStream.create({ url: url("json"), contentType: "application/json" });
    await handle.append(JSON.stringify({ n: 1 }));
    await handle.append(JSON.stringify([{ n: 2 }, { n: 3 }])); // one message: the client says so
    const read = await stream({ url: handle.url, offset: "-1", live: false });
    expect(await read.json()).toEqual([{ n: 1 }, [{ n: 2 }, { n: 3 }]]);
  });

  for (const live of ["long-poll", "sse"]) {
    test(`follows a stream by ${live} until it is closed`, async () => {
      const handle = await DurableStream.create({
        url: url(live),
        contentType: "application/json",
      });
      await handle.append(JSON.stringify(0));
      const read = await stream({ url: handle.url, offset: "-1", live });
      const seen = [];
      const done = new Promise((resolve) => {
        read.subscribeJson(async (batch) => {
          seen.push(...batch.items);
          if (seen.length === 5) {
            resolve();
          }
        });
      });
      for (let i = 1; i < 5; i++) {
        await handle.append(JSON.stringify(i));
      }
      await done;
      read.cancel();
      expect(seen).toEqual([0, 1, 2, 3, 4]);
      await handle.close();
    });
  }

  test("an idempotent producer writes each message once, in order", async () => {
    const handle = await DurableStream.create({
      url: url("producer"),
      contentType: "application/json",
    });
    const producer = new IdempotentProducer(handle, "writer-1", { lingerMs: 1, maxBatchBytes: 64 });
    for (let i = 0; i < 200; i++) {
      producer.append(JSON.stringify(i));
    }
    await producer.flush();
    await producer.close();
    const read = await stream({ url: handle.url, offset: "-1", live: false });
    expect(await read.json()).toEqual([...Array(200).keys()]);
  });
});
