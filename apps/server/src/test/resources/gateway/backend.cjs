// A service without idempotency keys: it does what dev.semel.tck.http.HttpBackend describes, and fails in a
// few ways. Prints its port when it listens; ends with its parent process.
const http = require('node:http');
const crypto = require('node:crypto');

const PIECE = 1000;
const LONGEST_WAIT = 30_000;
const executions = new Map();
const gates = new Map();
let connections = 0;
let requests = 0;
let received = 0;
let poured = 0;

const count = (path) => executions.get(path) ?? 0;

function gate(name) {
  if (!gates.has(name)) {
    const made = {};
    made.opened = new Promise((resolve) => { made.open = resolve; });
    gates.set(name, made);
  }
  return gates.get(name);
}

const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

async function waitAtGate(request) {
  const name = request.headers['x-gate'];
  if (name !== undefined) {
    await Promise.race([gate(name).opened, pause(LONGEST_WAIT)]);
  }
}

function whole(response, status, headers, text) {
  const body = Buffer.from(text);
  // A status of 204 has no length; the other backend's server omits it too.
  response.writeHead(status, status === 204 ? headers : { ...headers, 'Content-Length': body.length });
  response.end(body);
}

function bytes(response, url, n) {
  const all = Buffer.alloc(Number(url.searchParams.get('bytes')));
  for (let i = 0; i < all.length; i++) {
    all[i] = i % 251;
  }
  const headers = { 'Content-Type': 'application/octet-stream', ETag: `"${n}"` };
  if (url.pathname === '/large') {
    headers['Content-Length'] = all.length;
  }
  response.writeHead(200, headers);
  for (let from = 0; from < all.length; from += PIECE) {
    response.write(all.subarray(from, Math.min(from + PIECE, all.length)));
  }
  response.end();
}

async function events(request, response, url, n) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const pieces = Number(url.searchParams.get('pieces'));
  for (let i = 1; i <= pieces; i++) {
    if (i === 2) {
      await waitAtGate(request);
    }
    response.write(`data: ${n}.${i}\n\n`);
  }
  response.end();
}

async function pour(response, megabytes) {
  response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
  const megabyte = Buffer.alloc(1 << 20);
  for (let i = 0; i < megabytes; i++) {
    if (!response.write(megabyte)) {
      await new Promise((resolve) => response.once('drain', resolve));
    }
    poured++;
  }
  response.end();
}

// Beyond the contract: failures after the request was taken.
function broken(request, response, url) {
  switch (url.pathname) {
    case '/break/hang-up':
      request.socket.destroy();
      return true;
    case '/break/half':
      response.writeHead(200, { 'Content-Length': 100, 'Content-Type': 'text/plain' });
      response.write('half', () => request.socket.destroy());
      return true;
    case '/break/half-of-much':
      response.writeHead(200, { 'Content-Type': 'text/plain' });
      response.write('x'.repeat(2_000_000), () => request.socket.destroy());
      return true;
    case '/break/silence':
      return true;
    case '/break/die':
      process.exit(1);
    default:
      return false;
  }
}

async function execute(request, response, url, body) {
  const path = url.pathname;
  const n = count(path) + 1;
  executions.set(path, n);
  if (broken(request, response, url)) {
    return;
  }
  if (path === '/stream') {
    await events(request, response, url, n);
    return;
  }
  await waitAtGate(request);
  if (request.headers['x-wait'] !== undefined) {
    await pause(Number(request.headers['x-wait']));
  }
  const etag = { ETag: `"${n}"` };
  if (path === '/charge' || path === '/refund') {
    const sha256 = crypto.createHash('sha256').update(body).digest('hex');
    whole(
      response,
      201,
      { 'Content-Type': 'application/json', Location: `${path}/${n}`, ...etag, 'Set-Cookie': `session=${n}`, 'X-Number': n },
      `{"number":${n},"bytes":${body.length},"sha256":"${sha256}"}`);
  } else if (path === '/large' || path === '/chunked') {
    bytes(response, url, n);
  } else if (path === '/head') {
    whole(response, 200, { 'Content-Type': 'application/json' },
      JSON.stringify({ method: request.method, url: request.url, headers: request.rawHeaders }));
  } else if (/^\/status\/\d{3}$/.test(path)) {
    const status = Number(path.slice('/status/'.length));
    const headers = status === 204 ? etag : { 'Content-Type': 'text/plain', ...etag };
    whole(response, status, headers, status === 204 ? '' : `${status} ${n}`);
  } else {
    whole(response, 404, {}, '');
  }
}

const server = http.createServer((request, response) => {
  const url = new URL(request.url, 'http://backend');
  const asked = url.searchParams;
  if (request.method === 'GET' && url.pathname === '/executions') {
    whole(response, 200, { 'Content-Type': 'text/plain' }, String(count(asked.get('path'))));
    return;
  }
  if (request.method === 'GET' && url.pathname === '/open') {
    gate(asked.get('gate')).open();
    whole(response, 204, {}, '');
    return;
  }
  if (request.method === 'GET' && url.pathname === '/seen') {
    whole(response, 200, { 'Content-Type': 'application/json' }, JSON.stringify({ connections, requests, received, poured }));
    return;
  }
  requests++;
  if (url.pathname === '/swallow') { // much of it, counted and not kept
    let length = 0;
    request.on('data', (piece) => { length += piece.length; received += piece.length; });
    request.on('end', () => whole(response, 200, { 'Content-Type': 'text/plain' }, String(length)));
    return;
  }
  if (url.pathname === '/pour') { // much of it, as fast as it is read
    void pour(response, Number(asked.get('megabytes')));
    return;
  }
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => { void execute(request, response, url, Buffer.concat(pieces)); });
});
server.on('connection', () => connections++);
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('end', () => process.exit(0)).resume();
