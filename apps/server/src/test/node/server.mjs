// The public Node server on any free port, which it prints when it listens: in memory, or with its
// file store in the named folder. Stops in order when its input ends.
import { mkdirSync } from "node:fs"
import { DurableStreamTestServer } from "@durable-streams/server"

const dataDir = process.argv[2]
if (dataDir) {
  mkdirSync(dataDir, { recursive: true })
}
const store = dataDir ? { dataDir } : {}
const server = new DurableStreamTestServer({ host: "127.0.0.1", port: 0, longPollTimeout: 300, ...store })
console.log(new URL(await server.start()).port)
process.stdin
  .on("end", async () => {
    await server.stop()
    process.exit(0)
  })
  .resume()
