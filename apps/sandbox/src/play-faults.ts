import { type OperationId, type OperationSpec, operations } from '@vehicle-data/openapi';
import type { Next } from 'hono';
import { failure, type ServiceContext, vinOf } from './call.js';
import { type DirtyKind, dirtyKinds, isDirtyKind, type MakeDirty } from './dirty-data.js';
import type { Fault } from './faults.js';
import { responses } from './generated/responses.js';
import { dirtyKindOf } from './reserved-vins.js';
import type { World } from './world.js';

/** Responds to a call of an operation, or of none, with everything that goes wrong. Without faults, `next` responds. */
export async function playFaults(c: ServiceContext, next: Next, world: World, operationId?: OperationId) {
  const { headers, signal } = c.req.raw;
  const vin = vinOf(c);
  const effects = world.faults.affecting(vin, operationId);
  for (const effect of effects) if (effect.kind === 'latency') await pause(effect.latencyMs, signal);
  const expires = effects.some(({ kind }) => kind === 'expired-token');
  const hasExpired = expires && world.tokens.expire(headers.get('authorization'));
  if (hasExpired) await world.save();
  const replaced = effects.map((effect) => replacement(c, effect, hasExpired)).find((found) => found !== undefined);
  if (replaced) c.res = replaced;
  else await next();
  const kinds = [dirtyKindOf(vin ?? ''), ...effects.map(({ kind }) => kind)];
  for (const kind of kinds) if (kind && isDirtyKind(kind)) await makeDirty(c, kind, operationId);
  if (kinds.includes('wrong-content-type')) c.header('content-type', 'text/html');
  if (kinds.includes('malformed-json') && c.res.body) {
    c.res = new Response(`${(await c.res.text()).slice(0, -1)},`, c.res);
  }
  // A cut comes so late that the first half is on its way; a stalled body lasts as long as a timer can wait.
  const broken = kinds.findLast((kind) => kind === 'cut-body' || kind === 'stalled-body');
  if (broken && c.res.body) c.res = await breakOff(c.res, broken === 'cut-body' ? 20 : 2_147_483_647, signal);
}

/** The response that an effect gives in place of the service's, if it is one of that kind. */
function replacement(c: ServiceContext, effect: Fault, hasExpired: boolean): Response | undefined {
  if (effect.kind === 'expired-token' && hasExpired) return failure(c, '4011');
  if (effect.kind !== 'error' && effect.kind !== 'status') return undefined;
  const response = effect.kind === 'error' ? failure(c, effect.code) : barePage(effect.status);
  // A client that is limited always receives how long to wait.
  const waitSeconds = effect.retryAfterSeconds ?? (effect.kind === 'error' && response.status === 429 ? 30 : undefined);
  if (waitSeconds !== undefined) response.headers.set('retry-after', String(waitSeconds));
  return response;
}

/** Statuses that have no body: https://fetch.spec.whatwg.org/#null-body-status */
const withoutBody: readonly number[] = [204, 205, 304];

/** What a balancer in front of a service sends when the service itself does not respond. */
function barePage(status: number): Response {
  const page = withoutBody.includes(status) ? null : `<!doctype html><title>${status}</title><h1>${status}</h1>`;
  return new Response(page, { status, headers: { 'content-type': 'text/html' } });
}

/** Makes the data of a success dirty; any other response stays as it is. */
async function makeDirty(c: ServiceContext, kind: DirtyKind, operationId: OperationId | undefined): Promise<void> {
  const schema = operationId && responses[operationId]?.data;
  if (!schema || !c.res.ok || c.res.headers.get('content-type') !== 'application/json') return;
  const { series }: OperationSpec = operations[operationId];
  const change: MakeDirty = dirtyKinds[kind];
  const { data, ...envelope }: { readonly data: unknown } = await c.res.json();
  c.res = c.json({ data: change(data, schema, series, c.get('nowMs')), ...envelope });
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, signal.aborted ? 0 : ms);
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)));
  });

/** Sends the first half of a body with the length of the whole, then falls silent for a time, then breaks the connection off. */
async function breakOff(response: Response, afterMs: number, signal: AbortSignal): Promise<Response> {
  const bytes = await response.arrayBuffer();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new Uint8Array(bytes, 0, bytes.byteLength >> 1)),
    async pull(controller) {
      await pause(afterMs, signal);
      controller.error(new Error('cut by a fault'));
    },
  });
  response.headers.set('content-length', String(bytes.byteLength));
  return new Response(body, response);
}
