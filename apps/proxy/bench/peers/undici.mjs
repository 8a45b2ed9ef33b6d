// node:http in, undici's Pool.dispatch out: the least that undici can do for a request.
import http from 'node:http';
import { Pool } from 'undici';

const pool = new Pool(process.env.UPSTREAM, { connections: 256, pipelining: 1 });
http
  .createServer((incoming, outgoing) => {
    const { connection, 'keep-alive': _, 'transfer-encoding': __, ...headers } = incoming.headers;
    pool.dispatch(
      { path: incoming.url, method: incoming.method, headers },
      {
        onRequestStart() {},
        onResponseStart(_controller, status, answered) {
          delete answered.connection;
          delete answered['keep-alive'];
          outgoing.writeHead(status, answered);
        },
        onResponseData(controller, piece) {
          if (outgoing.write(piece)) return;
          controller.pause();
          outgoing.once('drain', () => controller.resume());
        },
        onResponseEnd() {
          outgoing.end();
        },
        onResponseError() {
          outgoing.destroy();
        },
      },
    );
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
