// The public Node server in memory, on any free port, which it prints when it listens.
import { DurableStreamTestServer } from "@durable-streams/server"

const server = new DurableStreamTestServer({ host: "127.0.0.1", port: 0, longPollTimeout: 300 })
console.log(new URL(await server.start()).port)
process.stdin.on("end", () => process.exit(0)).resume()
