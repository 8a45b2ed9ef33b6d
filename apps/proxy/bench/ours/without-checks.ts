// Our front door and transport with the decision left out: what remains is the cost of reading, forwarding and answering.
import type { Resumable } from '../../dist/admission.js';
import type { AnswerOut } from '../../dist/answer-out.js';
import { createApp } from '../../dist/app.js';
import { ProxyCore } from '../../dist/core.js';
import type { IncomingCall } from '../../dist/decide.js';
import { FrontDoor } from '../../dist/node/front-door.js';
import { SocketTransport } from '../../dist/node/socket-transport.js';
import { sharedWatch } from '../../dist/watch.js';

class UncheckedCore extends ProxyCore {
  override answer({ method, target, requestId }: IncomingCall, out: AnswerOut): Resumable | null {
    const plan = {
      operationId: 'getLocation',
      template: '-',
      requestId,
      coding: 'identity',
      call: { method, target, headers: ['accept', 'application/json', 'x-request-id', requestId], repeatable: true },
      caller: '',
      traceParent: '',
      brand: '',
      vehicle: '',
      needsToken: false,
      replaceToken: null,
    } as const;
    return this.forwarder.start(plan, out);
  }
}

const upstreamUrl = process.env['UPSTREAM'] ?? '';
const core = new UncheckedCore(
  { upstreamUrl, validateResponses: 'off' },
  { transport: new SocketTransport(upstreamUrl), watch: sharedWatch() },
);
await new FrontDoor(core, async () => createApp(core, {})).listen(Number(process.env['PORT']), '127.0.0.1');
