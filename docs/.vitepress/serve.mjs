// Serves a built site on the loopback interface: node serve.mjs FOLDER PORT
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, resolve, sep } from 'node:path'

const HOST = '127.0.0.1'
const TYPES = {
  '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json',
  '.png': 'image/png', '.svg': 'image/svg+xml',
}
const [folder, port] = [resolve(process.argv[2]), Number(process.argv[3])]

/** The file at an address; undefined if there is none. */
function fileAt(path) {
  const file = join(folder, path.endsWith('/') ? `${path}index.html` : path)
  return file.startsWith(folder + sep) && statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined
}

function pathOf(address) {
  try {
    return decodeURIComponent(new URL(address, `http://${HOST}`).pathname)
  } catch {
    return ''
  }
}

const server = createServer((request, response) => {
  const found = fileAt(pathOf(request.url))
  const file = found ?? join(folder, '404.html')
  const type = TYPES[extname(file)] ?? 'application/octet-stream'
  response.writeHead(found ? 200 : 404, {
    'Content-Type': /^image\//.test(type) ? type : `${type}; charset=utf-8`,
    'Cache-Control': 'no-cache',
  })
  createReadStream(file).pipe(response)
})
server.on('error', ({ code, message }) => {
  console.error(`site: ${code === 'EADDRINUSE' ? `port ${port} is in use: choose another with --port` : message}`)
  process.exit(1)
})
server.listen(port, HOST, () => console.log(`http://${HOST}:${server.address().port}/`))
