// The public Node server on files: folder, port (0: any). Prints its port when it listens.
import { mkdirSync } from "node:fs"
import { DurableStreamTestServer } from "@durable-streams/server"

const dataDir = process.argv[2]
mkdirSync(dataDir, { recursive: true })
const server = new DurableStreamTestServer({
  host: "127.0.0.1",
  port: Number(process.argv[3]),
  dataDir,
  longPollTimeout: 300,
})
console.log(new URL(await server.start()).port)
process.stdin.on("end", () => process.exit(0)).resume()
