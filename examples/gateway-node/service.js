// Takes a payment for every request, and does not know idempotency keys.
// node service.js PORT BOOK: every payment is a line in the book; port 0 means any free one.
'use strict';
const fs = require('node:fs');
const http = require('node:http');

const [port, book] = process.argv.slice(2);

const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (part) => { body += part; });
  request.on('end', () => {
    fs.appendFileSync(book, body + '\n');
    if (body.includes('slowly')) {
      return; // the payment was made, but no answer is sent
    }
    const payment = fs.readFileSync(book, 'utf8').trim().split('\n').length;
    response.writeHead(201, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ payment }) + '\n');
  });
});

server.listen(Number(port), '127.0.0.1', () => console.log(server.address().port));
