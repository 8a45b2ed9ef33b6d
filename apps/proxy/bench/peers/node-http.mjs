// node:http in and out, bodies piped, connections kept.
import http from 'node:http';
import https from 'node:https';

const upstream = new URL(process.env.UPSTREAM);
const { request, Agent } = upstream.protocol === 'https:' ? https : http;
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
http
  .createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const sent = request(
      { agent, host: upstream.hostname, port: upstream.port, path: url, method, headers },
      (response) => {
        outgoing.writeHead(response.statusCode, response.rawHeaders);
        response.pipe(outgoing);
      },
    );
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
