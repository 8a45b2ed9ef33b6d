// The other side of slow-callers.ts, in a process of its own: a service with short and huge answers, and callers who never read.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { smallAnswer } from './small-answer.ts';

const megabyte = Buffer.alloc(1_048_576, 'a');

function sendHuge(socket: Socket): void {
  socket.write(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${100 * megabyte.length + 8}\r\n\r\n{"a":"`,
  );
  let sent = 0;
  const more = () => {
    while (sent < 100 && !socket.destroyed) {
      sent++;
      if (!socket.write(megabyte)) return;
    }
    if (sent++ === 100) socket.write('"}');
  };
  socket.on('drain', more);
  more();
}

const service = createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (piece: Buffer) => {
    if (piece.includes('/locations')) sendHuge(socket);
    else
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${smallAnswer.length}\r\n\r\n${smallAnswer}`,
      );
  });
});

/** A caller who asks for a huge answer and never reads it; it comes back when it is broken off. */
function neverRead(port: number): void {
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.on('error', () => {});
  socket.on('close', () => setTimeout(() => neverRead(port), 100));
  socket.write(
    'GET /v1/vehicles/KMHXX00XXXX000001/locations HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\nAuthorization: Bearer t\r\n\r\n',
  );
}

if (process.argv[2] === 'service')
  service.listen(0, '127.0.0.1', () => process.send?.((service.address() as AddressInfo).port));
else for (let number = 0; number < 200; number++) neverRead(Number(process.argv[3]));
