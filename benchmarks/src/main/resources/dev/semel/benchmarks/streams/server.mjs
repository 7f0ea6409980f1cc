// The public Node server with its file store; prints its port when it listens.
import { mkdirSync } from "node:fs"
import { DurableStreamTestServer } from "@durable-streams/server"

const dataDir = process.argv[2]
mkdirSync(dataDir, { recursive: true })
const server = new DurableStreamTestServer({ host: "127.0.0.1", port: 0, dataDir, compression: false })
const url = await server.start()
console.log(new URL(url).port)
