import { behaviorOf, deadlineMs, type Fault, faults, requestOf } from '../test/support/faults.ts';
import { type RawServer, respondSuccess, startRawServer } from '../test/support/servers.ts';
import { RawClient, statusOf } from '../test/support/wire.ts';
import { isPublished } from './differences.ts';
import { type RuntimeName, servedOn, startRuntime } from './start-runtime.ts';

/** Proxies that play faults side by side, each with an upstream of its own. */
const lanes = 6;

// Time is spent on the platform's limits of 100 MB and not on anything of ours.
const played = faults.filter(({ longBytes }) => longBytes === undefined);

/**
 * Plays the faults of the upstream against a runtime. What must hold everywhere: every client gets something within the deadline, a DELETE is
 * sent once, a cut response is never passed off as whole, the next client is served, and of what the program on Node rejects only what is
 * published is accepted. What does not hold comes under `wrong`.
 */
export async function runFaults(runtime: RuntimeName) {
  const usual = played.filter(({ totalDeadlineMs }) => totalDeadlineMs === undefined);
  const lists = Array.from({ length: lanes }, (_, lane) => usual.filter((_fault, index) => index % lanes === lane));
  for (const fault of played) if (fault.totalDeadlineMs !== undefined) lists.push([fault]);
  const started = await Promise.all(lists.map(laneFor));
  const running = await startRuntime(
    runtime,
    started.map(({ proxy }) => proxy),
  );
  let different = 0;
  const wrong: string[] = [];
  await Promise.all(
    started.map(async ({ upstream, proxy, list }) => {
      for (const fault of list) {
        const outcome = await playFault(fault, upstream, proxy.port);
        wrong.push(...outcome.unsafe.map((what) => `${fault.fault}: ${what}`));
        if (outcome.got === expectedOf(fault)) continue;
        different++;
        const isAccepted = outcome.got.endsWith(' whole');
        if (isAccepted && !isPublished(runtime, 'faults.yaml', fault.fault))
          wrong.push(`${fault.fault}: ${outcome.got}`);
      }
      await upstream.close();
    }),
  );
  await running.kill();
  return { played: played.length, different, wrong };
}

/** An upstream and a proxy for faults that have one deadline. */
async function laneFor(list: readonly Fault[]) {
  const upstream = await startRawServer();
  const totalDeadlineMs = list[0]?.totalDeadlineMs ?? null;
  return { list, upstream, proxy: await servedOn(upstream.url, { deadlineMs, totalDeadlineMs }) };
}

function expectedOf({ becomes, status = 200 }: Fault): string {
  return becomes === 'whole' ? `${status} whole` : becomes;
}

async function playFault(fault: Fault, upstream: RawServer, port: number) {
  const unsafe: string[] = [];
  upstream.behave = respondSuccess;
  // Good requests beside each fault keep the circuit breaker closed and the retry budget full.
  for (let turn = 0; turn < 4; turn++) await get(port);
  upstream.forget();
  upstream.behave = behaviorOf(fault);
  const client = new RawClient(port);
  client.send(requestOf(fault));
  await client.responses(1, deadlineMs + 4000).catch(() => unsafe.push('the client got nothing in time'));
  const got = outcomeOf(client, fault);
  if (got === 'a cut response as a whole one') unsafe.push(got);
  client.close();
  const deletes = upstream.requests().filter(({ start }) => start.startsWith('DELETE')).length;
  if (deletes > 1) unsafe.push(`the DELETE was sent ${deletes} times`);
  if (deletes > 0 && got.endsWith('upstream-unreachable')) unsafe.push('a DELETE that was sent is reported as unsent');
  upstream.behave = respondSuccess;
  if ((await get(port)) !== 200) unsafe.push('the next client was not served');
  upstream.forget();
  return { got, unsafe };
}

async function get(port: number): Promise<number> {
  const client = new RawClient(port);
  client.send(requestOf());
  const [response] = await client.responses(1, 5000).catch(() => []);
  client.close();
  return statusOf(response);
}

function outcomeOf(client: RawClient, fault: Fault): string {
  const [response] = client.reading().messages;
  if (response === undefined) return /^HTTP\/1\.1 200/.test(client.received.toString('latin1')) ? 'cut' : 'no response';
  const status = statusOf(response);
  const document = parsed(response.body);
  const code = document?.error?.code ?? '';
  // A word is a code of the proxy; the upstream's are digits.
  if (status >= 400 && /^[a-z]/.test(code)) return `${status} ${code}`;
  if (fault.becomes === 'cut' && document === null) return 'a cut response as a whole one';
  return `${status} whole`;
}

function parsed(body: Buffer): { readonly error?: { readonly code?: string } } | null {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
