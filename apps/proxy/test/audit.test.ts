import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { copyFile, open, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { AuditLog, type AuditLogOptions } from '../src/audit/audit-log.js';
import { appendToChain, headOf, linesAfter, withChainLock } from '../src/audit/chain.js';
import { continuation } from '../src/audit/segment-keeper.js';
import { closeSegment } from '../src/audit/segments.js';
import { Fence } from '../src/fence/fence.js';
import { OpenRecord } from '../src/observability/observer.js';
import { Warnings } from '../src/observability/warnings.js';
import { auditCommand, auditEntries, auditKey, startAudited, verifyAudit } from './support/audited-proxy.ts';
import { newFile, startProgram } from './support/program.ts';
import { responseWith, startRawUpstream, successBody } from './support/servers.ts';
import { connectTo, requestLines, startPair, withdrawal } from './support/set-up.ts';

const silent = new Warnings(() => {});

const auditFile = () => newFile('withdrawals.ndjson');

const outcome = { client: 'abcdefghij', address: '192.0.2.7', status: 200, attempts: 1 };

const openLog = (file: string, more: Partial<AuditLogOptions> = {}) =>
  AuditLog.open(file, { key: auditKey, warnings: silent, say: () => {}, retryMs: 20, ...more });

/** Plays a withdrawal: it is noted, sent, and ends. */
async function withdraw(log: AuditLog, requestId: string, ended: object = outcome): Promise<boolean> {
  const record = Object.assign(new OpenRecord(requestId), { client: outcome.client, address: outcome.address });
  const begun = await log.begin(record, 'brand_a', 'TESTVEHCLE0000001', 10_000);
  begun?.end(Object.assign(record, ended));
  return begun !== null;
}

it('an audit log of several processes verifies, and is for its owner alone', async () => {
  const file = auditFile();
  const logs = await Promise.all([1, 2, 3].map(() => openLog(file)));
  const rounds = Array.from({ length: 20 }, (_, round) =>
    logs.map((log, index) => withdraw(log, `r-${index}-${round}`)),
  );
  await Promise.all(rounds.flat());
  await Promise.all(logs.map((log) => log.close()));
  expect(await auditEntries(file)).toHaveLength(120);
  expect((await stat(file)).mode & 0o077).toBe(0);
  expect(await verifyAudit(file)).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^120 entries, all in their place; .* [0-9a-f]{64}\n$/),
  });
  expect(await verifyAudit(file, 'x'.repeat(32))).toMatchObject({ code: 1 });
});

const withoutEnd = (line = '') => line.slice(0, -9);
it.each<{ what: string; change: (lines: string[]) => string[]; problem: string }>([
  {
    what: 'changed',
    change: (lines) => lines.with(1, (lines[1] ?? '').replace('200', '403')),
    problem: 'line 2 was changed',
  },
  { what: 'removed', change: (lines) => lines.toSpliced(1, 1), problem: 'line 2 does not follow' },
  { what: 'inserted', change: (lines) => lines.toSpliced(1, 0, lines[2] ?? ''), problem: 'line 2 does not follow' },
  { what: 'cut', change: (lines) => lines.with(2, withoutEnd(lines[2])), problem: 'line 3 is not an entry' },
])('a line of the log that is not as it was written is found: it was $what', async ({ change, problem }) => {
  const file = auditFile();
  const log = await openLog(file);
  for (const id of ['one', 'two', 'three']) await withdraw(log, id);
  await log.close();
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  await writeFile(file, `${change(lines).join('\n')}\n`);
  const { code, text } = await verifyAudit(file);
  expect(code).toBe(1);
  expect(text).toContain(problem);
});

it('a file that cannot be written holds entries, says so, and has them in order when it is good again', async () => {
  const file = auditFile();
  await writeFile(file, 'not an entry');
  const warned: string[] = [];
  const said: string[] = [];
  const warnings = new Warnings((line) => warned.push(line));
  const log = await openLog(file, { warnings, say: (line) => said.push(line) });
  expect(await withdraw(log, 'one')).toBe(true);
  expect(await withdraw(log, 'two')).toBe(true);
  expect(await readFile(file, 'utf8')).toBe('not an entry');
  expect(log.waiting).toBe(4);
  expect(said.filter((line) => /^audit entry held: .*"kind":"(?:intent|outcome)"/.test(line))).toHaveLength(4);
  expect(said.join()).not.toContain('TESTVEHCLE0000001');
  // Another file takes its place at once. One that was cut while the log reads it would look like one that a crash has left.
  await writeFile(`${file}.good`, '');
  await rename(`${file}.good`, file);
  await expect.poll(() => warned.at(-1)).toBe('audit-log: good again');
  await log.close();
  expect(warned).toEqual([
    expect.stringMatching(/^VDS_AUDIT_FILE: .* they are held, and withdrawals continue$/),
    warned[1],
  ]);
  const kinds = (await auditEntries(file)).map(({ requestId, kind }) => `${requestId} ${kind}`);
  expect(kinds).toEqual(['one intent', 'one outcome', 'two intent', 'two outcome']);
  expect(await verifyAudit(file)).toMatchObject({ code: 0, text: expect.not.stringContaining('no outcome') });
  expect(await readdir(dirname(file))).toEqual([basename(file)]);
});

it('what a crash left of a line is no obstacle, and whole lines stay', async () => {
  const file = auditFile();
  await appendToChain(file, auditKey, [{ requestId: 'one' }, { requestId: 'two' }]);
  const whole = await readFile(file, 'utf8');
  const second = whole.indexOf('\n') + 1;
  const zeros = '\0'.repeat(5000);
  for (const [left, kept] of [
    [zeros, 0],
    [whole.slice(0, 30) + zeros, 0],
    [whole.slice(0, second - 1), 1],
    [whole.slice(0, second + 1), 1],
    [whole.slice(0, -2) + zeros, 1],
    [whole.slice(0, -1), 2],
  ] as const) {
    await writeFile(file, left);
    const lines: string[] = [];
    const later = await openLog(file, { warnings: new Warnings((line) => lines.push(line)) });
    await withdraw(later, 'three');
    await later.close();
    expect((await readFile(file, 'utf8')).startsWith(whole.slice(0, [0, second, whole.length][kept]))).toBe(true);
    const text = expect.stringMatching(new RegExp(`^${kept + 2} entries`));
    expect(await verifyAudit(file)).toMatchObject({ code: 0, text });
    const removal = [expect.stringMatching(/what a crash has left of a line/), 'audit-log: good again'];
    expect(lines).toEqual(/}$/.test(left) ? [] : removal);
  }
});

it('a withdrawal whose response the end of the program cuts has its entry', async () => {
  const file = auditFile();
  const upstream = await startRawUpstream((socket) => socket.write(responseWith('{}').subarray(0, -1)));
  const { port, stop } = await startProgram({
    VDS_UPSTREAM_URL: upstream.url,
    VDS_AUDIT_FILE: file,
    VDS_VIN_HASH_KEY: auditKey,
    VDS_DRAIN_MS: '2000',
    VDS_BODY_IDLE_MS: '60000',
  });
  const client = connectTo(port);
  client.send(requestLines(`DELETE ${withdrawal}`));
  // The client gets nothing of a success that is not whole.
  await expect.poll(() => upstream.requests()).toHaveLength(1);
  const { code, log } = await stop();
  expect(code).toBe(0);
  // The proxy has broken it off, and not the client.
  const cut = { code: 'broken-off-at-stop', status: 200 };
  expect(log.map((line) => JSON.parse(line))).toMatchObject([{ ...cut, level: 50 }]);
  expect(await auditEntries(file)).toMatchObject([{ kind: 'intent' }, { ...cut, kind: 'outcome', sent: true }]);
  expect(await verifyAudit(file)).toMatchObject({ code: 0, text: expect.not.stringContaining('no outcome') });
});

it.each([{ parameters: [] }, { parameters: ['check'] }])(
  'an audit log that cannot be written is an error: arguments $parameters',
  ({ parameters }) => {
    const settings = {
      VDS_UPSTREAM_URL: 'http://127.0.0.1:9',
      VDS_AUDIT_FILE: `${auditFile()}/missing/x.log`,
      VDS_VIN_HASH_KEY: auditKey,
      VDS_PORT: '0',
    };
    const main = fileURLToPath(new URL('../dist/node.js', import.meta.url));
    const ended = spawnSync(process.execPath, [main, ...parameters], {
      env: settings,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(ended.status).toBe(1);
    expect(ended.stdout + ended.stderr).toContain('VDS_AUDIT_FILE: the file cannot be opened for writing');
  },
);

it('withdrawals that a limit rejects are counted in one entry, however many they are', async () => {
  const file = auditFile();
  const upstream = await startRawUpstream((socket) => socket.end(responseWith('{}')));
  const proxy = await startAudited(file, upstream.url, { VDS_LIMIT_PER_CLIENT: '1/60s' });
  const statuses: number[] = [];
  for (let index = 0; index < 30; index++) statuses.push((await proxy.withdraw()).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(29);
  expect((await proxy.stop()).code).toBe(0);
  const [intent, outcome, summary] = await auditEntries(file);
  expect([intent, outcome]).toMatchObject([{ kind: 'intent' }, { kind: 'outcome', status: 200, sent: true }]);
  expect(summary).toMatchObject({ kind: 'summary', rejected: [{ code: 'rate-limited', count: 29 }] });
  expect(await verifyAudit(file)).toMatchObject({ code: 0, text: expect.stringMatching(/^3 entries/) });
});

it('a withdrawal that has succeeded when the program ends has its outcome, however slow its receipt and its event are', async () => {
  const file = auditFile();
  const log = await openLog(file);
  let hasSucceeded = () => {};
  const success = new Promise<void>((resolve) => {
    hasSucceeded = resolve;
  });
  const onWithdrawn = async () => {
    hasSucceeded();
    await new Promise((resolve) => setTimeout(resolve, 1500));
  };
  const respond = (socket: Socket) => socket.write(responseWith(successBody({})));
  const { proxy, connect } = await startPair(respond, { audit: log, fence: new Fence({ onWithdrawn }) });
  connect().send(requestLines(`DELETE ${withdrawal}`));
  await success;
  await proxy.server.close(0, 0);
  await log.close();
  expect((await auditEntries(file)).map(({ kind }) => kind)).toEqual(['intent', 'outcome']);
  expect(await verifyAudit(file)).toMatchObject({ code: 0, text: expect.not.stringContaining('no outcome') });
});

it.each([
  {
    what: 'no connection was made',
    ended: { status: 502, code: 'upstream-unreachable', attempts: 1 },
    sent: false,
  },
  {
    what: 'the circuit breaker was open',
    ended: { status: 503, code: 'overloaded', attempts: 0 },
    sent: false,
  },
  { what: 'no response came', ended: { status: 504, code: 'upstream-timeout', attempts: 1 }, sent: true },
])('an entry says whether the upstream can have received the withdrawal: $what', async ({ ended, sent }) => {
  const file = auditFile();
  const log = await openLog(file);
  await withdraw(log, 'one', ended);
  await log.close();
  expect((await auditEntries(file))[1]).toMatchObject({ kind: 'outcome', code: ended.code, sent });
});

it('a log that is rotated while a process writes continues in one chain, whose end can be kept elsewhere', async () => {
  const file = auditFile();
  const log = await openLog(file);
  await withdraw(log, 'one');
  await expect.poll(() => auditEntries(file)).toHaveLength(2);
  const head = await auditCommand('head', file);
  expect(head).toMatchObject({ code: 0, text: expect.stringMatching(/^entry 2 has hash [0-9a-f]{64}\n$/) });
  expect(await auditCommand('rotate', file)).toEqual({ code: 0, text: `put aside as ${file}.3\n` });
  await withdraw(log, 'two');
  await log.close();
  expect((await auditEntries(file)).map(({ number, kind }) => [number, kind])).toEqual([
    [4, 'summary'],
    [5, 'intent'],
    [6, 'outcome'],
  ]);
  expect(await verifyAudit(file)).toMatchObject({ code: 0, text: expect.stringMatching(/^6 entries/) });
  expect(await verifyAudit(`${file}.3`)).toMatchObject({ code: 0, text: expect.stringMatching(/^3 entries/) });
  // Elsewhere, the new file says what it continues.
  const moved = auditFile();
  await copyFile(file, moved);
  const text = expect.stringMatching(/\nthe file continues another one, whose last entry 3 has hash [0-9a-f]{64}\n/);
  expect(await verifyAudit(moved)).toMatchObject({ code: 0, text });
});

describe('while a process has stalled with the lock of the log, what another one writes stays, and the chain is whole', () => {
  /** Another process takes the lock over, and writes. */
  async function beOvertaken(file: string): Promise<void> {
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(`${file}.lock`, longAgo, longAgo);
    await withChainLock(file, () => appendToChain(file, auditKey, [{ kind: 'summary', rejected: [] }]));
  }

  it.each([
    { story: 'the end of the file was read', left: '', step: 'stat' },
    { story: 'what a crash has left was found', left: '{"number":2,"prev', step: 'stat' },
    { story: 'the disk takes nothing', left: '', step: 'writeFile' },
  ] as const)('when $story', async ({ left, step }) => {
    const file = auditFile();
    await appendToChain(file, auditKey, [{ kind: 'summary', rejected: [] }]);
    appendFileSync(file, left);
    let isFirst = true;
    const stalling: typeof open = async (...place) => {
      const handle = await open(...place);
      if (!isFirst) return handle;
      isFirst = false;
      const stall = async () => {
        const found = await stat(file);
        await beOvertaken(file);
        if (step === 'stat') {
          Reflect.deleteProperty(handle, step);
          return found;
        }
        throw new Error('the disk is full');
      };
      return Object.assign(handle, { [step]: stall });
    };
    const log = await openLog(file, { openFile: stalling });
    expect(await withdraw(log, 'one')).toBe(true);
    await expect.poll(() => log.waiting).toBe(0);
    await log.close();
    expect((await auditEntries(file)).map(({ kind }) => kind)).toEqual(['summary', 'summary', 'intent', 'outcome']);
    expect(await verifyAudit(file)).toMatchObject({ code: 0, text: expect.stringMatching(/^4 entries, all in/) });
  });

  it('and it does not put the file aside', async () => {
    const file = auditFile();
    await appendToChain(file, auditKey, [{ kind: 'summary', rejected: [] }]);
    const next = linesAfter(await headOf(file), [{ kind: 'summary', rejected: [] }], auditKey);
    const sign = () => {
      appendFileSync(file, next);
      return '';
    };
    const closing = closeSegment(file, auditKey, continuation(), { id: '', sign });
    await expect(closing).rejects.toThrow('another process');
    expect(await readdir(dirname(file))).toEqual([basename(file)]);
    expect(await verifyAudit(file)).toMatchObject({ code: 0, text: expect.stringMatching(/^2 entries, all in/) });
  });
});

/** The files beside a log that hold entries. */
const roomsOf = async (file: string) =>
  (await readdir(dirname(file))).filter((name) => name.startsWith(`${basename(file)}.held-`));

it('held entries that were not written with the key of the log never come into it', async () => {
  const file = auditFile();
  const forged = `${JSON.stringify({ kind: 'outcome', client: 'someone', sent: true })}\n`;
  // As a process that has ended would leave it.
  await writeFile(`${file}.held-x`, `999999999 mark space 000000000001\n`.padEnd(256) + forged);
  await (await openLog(file)).close();
  await expect(readFile(file, 'utf8')).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await roomsOf(file)).toEqual([`${basename(file)}.held-x`]);
});

it('an entry that a disk has neither taken nor rejected when the program ends is held for the next one', async () => {
  const file = auditFile();
  const said: string[] = [];
  const hanging = () => new Promise<never>(() => {});
  const log = await openLog(file, { openFile: hanging, say: (line) => said.push(line) });
  const begun = log.begin(Object.assign(new OpenRecord('one'), { client: 'a' }), 'brand_a', '', 60_000);
  await log.close();
  expect(await begun).not.toBeNull();
  expect(said).toEqual([
    expect.stringMatching(/^audit entry held: .*"requestId":"one"/),
    '1 entries of the audit log are held',
  ]);
  const [room = ''] = await roomsOf(file);
  expect(await readFile(join(dirname(file), room), 'utf8')).toContain('"requestId":"one"');
});
