// node:http in and out, bodies piped, connections kept.
import http from 'node:http';
import https from 'node:https';

const upstream = new URL(process.env.UPSTREAM);
const { request, Agent } = upstream.protocol === 'https:' ? https : http;
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
http
  .createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const asked = request(
      { agent, host: upstream.hostname, port: upstream.port, path: url, method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode, answer.rawHeaders);
        answer.pipe(outgoing);
      },
    );
    asked.on('error', () => outgoing.destroy());
    incoming.pipe(asked);
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
