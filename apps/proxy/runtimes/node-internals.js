// Tries each use of Node's internals on the Node that runs this, in JavaScript: older versions of Node do not run TypeScript.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import {
  allowHalfOpen,
  bytesTaken,
  dropRest,
  handOver,
  passClose,
  takeConnections,
} from '../dist/platform/node-internals.js';

const request = 'GET / HTTP/1.1\r\nhost: p\r\n\r\n';

/** Starts a server, sends it bytes, and calls `use` with the server's end of the connection. */
async function withServer(handle, use) {
  const server = createServer(handle);
  const opened = once(server, 'connection');
  await use.before?.(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({ port: server.address().port, host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => {});
  try {
    await use.run(client, opened, server);
  } finally {
    client.destroy();
    server.closeAllConnections();
    server.close();
  }
}

async function textOf(client) {
  client.setEncoding('latin1');
  let text = '';
  for await (const piece of client) {
    text += piece;
    if (text.endsWith('well')) break;
  }
  return text;
}

const well = (_, response) => response.end('well');

const tries = {
  'a connection is taken over, and handed over with what was read': () =>
    withServer(well, {
      before(server) {
        const toNode = takeConnections(server);
        server.on('connection', (socket) => socket.once('data', (bytes) => handOver(socket.pause(), bytes, toNode)));
      },
      async run(client) {
        client.write(request);
        assert.match(await textOf(client), /^HTTP\/1\.1 200 OK[\s\S]*well$/);
      },
    }),
  'a client that has closed its side gets its response': () =>
    withServer((_, response) => setTimeout(() => response.end('well'), 50), {
      before: allowHalfOpen,
      async run(client) {
        client.end(request);
        assert.match(await textOf(client), /well$/);
      },
    }),
  'what follows the last request is no request': () => {
    let count = 0;
    return withServer(
      (incoming, response) => {
        count++;
        dropRest(incoming.socket);
        setTimeout(() => response.end('well'), 50);
      },
      {
        async run(client, _, server) {
          const taken = once(server, 'request');
          client.write(request);
          await taken;
          client.write(request);
          assert.match(await textOf(client), /well$/);
          assert.equal(count, 1);
        },
      },
    );
  },
  'what the system has taken is less than what was written to a client that reads nothing': () =>
    withServer((_, response) => response.write(Buffer.alloc(50_000_000)), {
      async run(client, opened) {
        client.write(request);
        client.pause();
        const [socket] = await opened;
        while (socket.writableLength === 0 && socket.bytesWritten < 1_000_000) await new Promise(setImmediate);
        assert.equal(typeof socket._handle.writeQueueSize, 'number');
        assert.ok(bytesTaken(socket) < 50_000_000, `taken ${bytesTaken(socket)}`);
      },
    }),
  'a response is told that its connection is closed': () => {
    const told = [];
    return withServer(
      (_, response) => {
        response.on('close', () => told.push('close'));
        passClose(response);
        response.end('well');
      },
      {
        async run(client) {
          client.write(request);
          await textOf(client);
          assert.deepEqual(told.slice(0, 1), ['close']);
        },
      },
    );
  },
};

const deadline = setTimeout(() => {
  console.error('a try has not ended within 30 seconds');
  process.exit(1);
}, 30_000);
for (const [name, run] of Object.entries(tries)) {
  await run();
  console.log(`${process.version}: ${name}`);
}
clearTimeout(deadline);
