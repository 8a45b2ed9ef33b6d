import { once } from 'node:events';
import { eventExamples, signEvent, verifyEvent } from '@vehicle-data/client/events';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../src/run.ts';
import { printedBy, streamsOf, upstreamOf } from './support/vds.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** Runs a line with this environment; `aborted` ends it as Ctrl-C does. */
function start(words: readonly string[], env: NodeJS.ProcessEnv) {
  const aborted = new AbortController();
  const streams = streamsOf({ env: { HOME: '/nonexistent', ...env }, signal: aborted.signal });
  const printed = { stdout: '', stderr: '' };
  streams.stdout.on('data', (piece) => (printed.stdout += piece));
  streams.stderr.on('data', (piece) => (printed.stderr += piece));
  const exit = run(words, streams);
  onTestFinished(() => aborted.abort());
  return { printed, exit, abort: () => aborted.abort() };
}

async function trigger(words: readonly string[], env: NodeJS.ProcessEnv = { VDS_EVENTS_SECRET: secret }) {
  const { exit, printed } = start(['trigger', ...words], env);
  return printedBy(await exit, printed.stdout, printed.stderr);
}

it('listen prints what a proxy needs, forwards each event as it came, and prints it without the VIN', async () => {
  const bodies: string[] = [];
  const receiver = await upstreamOf(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    bodies.push((await verifyEvent({ headers: request.headers, body }, told)).type);
    response.writeHead(202).end();
  });
  const { printed, exit, abort } = start(['listen', '--events-port', '0', '--forward-to', `${receiver.url}/hook`], {});
  await expect.poll(() => printed.stderr).toMatch(/VDS_EVENTS_SECRET=whsec_\S+\n/);
  const [, url = '', told = ''] = /VDS_EVENTS_URL=(\S+)\nVDS_EVENTS_SECRET=(\S+)/.exec(printed.stderr) ?? [];
  for (const type of Object.keys(eventExamples))
    expect((await trigger([type, '--events-url', url], { VDS_EVENTS_SECRET: told })).json).toMatchObject([
      { status: 202 },
    ]);
  expect(bodies).toEqual(Object.keys(eventExamples));
  // One that is signed with another secret.
  const { headers, body } = await signEvent(eventExamples['vehicle.consent_ended'], secret);
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(400);
  abort();
  expect(await exit).toBe(0);
  const lines = printed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ event }) => event.data.vin)).toEqual(Array(2).fill('*************0001'));
  expect(bodies).toHaveLength(2);
});

it('trigger says when a receiver rejects, is not there, or is not on this machine, and when there is no secret', async () => {
  const { url, server } = await upstreamOf((_, response) => response.writeHead(500).end());
  const type = 'vehicle.consent_withdrawn';
  expect(await trigger([type, '--events-url', url])).toMatchObject({ code: 1, error: { code: 'not-received' } });
  server.close().closeAllConnections();
  await once(server, 'close');
  expect(await trigger([type, '--events-url', url])).toMatchObject({ code: 1, error: { code: 'no-receiver' } });
  const usage = { code: 4, error: { code: 'usage' } };
  expect(await trigger([type, '--events-url', 'https://receiver.invalid/'])).toMatchObject(usage);
  expect(await trigger(['vehicle.sold', '--events-url', url])).toMatchObject(usage);
  expect(await trigger([type, '--events-url', url], {})).toMatchObject(usage);
  const short = await trigger([type, '--events-url', url], { VDS_EVENTS_SECRET: 'short-secret-7' });
  expect(short).toMatchObject(usage);
  expect(short.stderr).not.toContain('short-secret-7');
});
