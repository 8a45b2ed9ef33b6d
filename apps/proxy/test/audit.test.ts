import { execFileSync, spawnSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runAuditCommand } from '../src/audit/audit-command.js';
import { AuditLog } from '../src/audit/audit-log.js';
import { OpenRecord } from '../src/observability/observer.js';
import { Warnings } from '../src/observability/warnings.js';
import { newFile, startProgram } from './support/program.ts';
import { responseWith, startRawUpstream } from './support/servers.ts';
import { connectTo, requestLines, withdrawal } from './support/set-up.ts';

const key = 'k'.repeat(32);
const silent = new Warnings(() => {});

const auditFile = () => newFile('withdrawals.ndjson');

const outcome = { client: 'abcdefghij', address: '192.0.2.7', status: 200, attempts: 1 };

function withdraw(log: AuditLog, requestId: string): void {
  log.onWithdrawal(Object.assign(new OpenRecord(requestId), outcome), 'brand_a', 'TESTVEHCLE0000001');
}

/** Runs the command in this process; `access-log.test.ts` runs it as a program. */
async function verify(file: string, secret = key) {
  let text = '';
  const add = (more: string) => {
    text += more;
  };
  const environment = { VDS_AUDIT_FILE: file, VDS_VIN_HASH_KEY: secret };
  const code = await runAuditCommand(['verify'], environment, { result: add, say: add });
  return { code, text };
}

it('an audit log of several processes verifies, and is for its owner alone', async () => {
  const file = auditFile();
  const logs = Array.from({ length: 3 }, () => new AuditLog(file, key, silent));
  for (let round = 0; round < 20; round++)
    for (const [index, log] of logs.entries()) withdraw(log, `r-${index}-${round}`);
  await Promise.all(logs.map((log) => log.close()));
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  expect(lines).toHaveLength(60);
  expect((await stat(file)).mode & 0o077).toBe(0);
  expect(await verify(file)).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^60 entries, all in their place; .* [0-9a-f]{64}\n$/),
  });
  expect(await verify(file, 'x'.repeat(32))).toMatchObject({ code: 1 });
});

const withoutEnd = (line = '') => line.slice(0, -9);
it.each<[string, (lines: string[]) => string[], string]>([
  ['changed', (lines) => lines.with(1, (lines[1] ?? '').replace('200', '403')), 'line 2 was changed'],
  ['removed', (lines) => lines.toSpliced(1, 1), 'line 2 does not follow'],
  ['inserted', (lines) => lines.toSpliced(1, 0, lines[2] ?? ''), 'line 2 does not follow'],
  ['cut', (lines) => lines.with(2, withoutEnd(lines[2])), 'line 3 is not an entry'],
])('a line that was %s is found', async (_, change, problem) => {
  const file = auditFile();
  const log = new AuditLog(file, key, silent);
  for (const id of ['one', 'two', 'three']) withdraw(log, id);
  await log.close();
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  await writeFile(file, `${change(lines).join('\n')}\n`);
  const { code, text } = await verify(file);
  expect(code).toBe(1);
  expect(text).toContain(problem);
});

it('a warning says that entries cannot be written; later ones are written', async () => {
  const file = auditFile();
  await writeFile(file, 'not an entry');
  const lines: string[] = [];
  const log = new AuditLog(file, key, new Warnings((line) => lines.push(line)));
  withdraw(log, 'one');
  await log.close();
  expect(await readFile(file, 'utf8')).toBe('not an entry');
  await writeFile(file, '');
  withdraw(log, 'two');
  await log.close();
  expect(lines).toEqual([expect.stringMatching(/^VDS_AUDIT_FILE: entries cannot be written/), 'audit-log: good again']);
  expect(await verify(file)).toMatchObject({ code: 0 });
});

it('what a crash left of a line is no obstacle, and whole lines stay', async () => {
  const file = auditFile();
  const log = new AuditLog(file, key, silent);
  for (const id of ['one', 'two']) withdraw(log, id);
  await log.close();
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
    const later = new AuditLog(file, key, new Warnings((line) => lines.push(line)));
    for (const id of ['three', 'four']) withdraw(later, id);
    await later.close();
    expect((await readFile(file, 'utf8')).startsWith(whole.slice(0, [0, second, whole.length][kept]))).toBe(true);
    const text = expect.stringMatching(new RegExp(`^${kept + 2} entries`));
    expect(await verify(file)).toMatchObject({ code: 0, text });
    const removal = [expect.stringMatching(/what a crash has left of a line/), 'audit-log: good again'];
    expect(lines).toEqual(/}$/.test(left) ? [] : removal);
  }
});

/** A process that withdraws as often as it has identifiers. */
const withdrawing = `
  const { AuditLog } = await import('${new URL('../dist/audit/audit-log.js', import.meta.url)}');
  const [file, ...identifiers] = process.argv.slice(1);
  const log = new AuditLog(file, '${key}', { raise() {}, clear() {} });
  for (const requestId of identifiers) {
    log.onWithdrawal({ ...${JSON.stringify(outcome)}, code: '', requestId, upstreamRequestId: '' }, 'brand_a', '');
    await log.close();
  }`;

it('a full disk costs the entries that it has no room for, and no others', async () => {
  const file = auditFile();
  // No file of the process can have more than 1024 bytes, which are two entries and a part of one.
  const limited = ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath];
  execFileSync('bash', [...limited, '--input-type=module', '-e', withdrawing, file, 'one', 'two', 'three', 'four']);
  expect(await verify(file)).toMatchObject({ code: 0, text: expect.stringMatching(/^2 entries/) });
  withdraw(new AuditLog(file, key, silent), 'five');
  await expect.poll(async () => (await verify(file)).text).toMatch(/^3 entries, all in their place/);
});

it('a withdrawal whose response the end of the program cuts has its entry', async () => {
  const file = auditFile();
  const upstream = await startRawUpstream((socket) => socket.write(responseWith('{}').subarray(0, -1)));
  const { port, stop } = await startProgram({
    VDS_UPSTREAM_URL: upstream.url,
    VDS_AUDIT_FILE: file,
    VDS_VIN_HASH_KEY: key,
    VDS_DEADLINE_MS: '500',
    VDS_BODY_IDLE_MS: '60000',
  });
  const client = connectTo(port);
  client.send(requestLines(`DELETE ${withdrawal}`));
  await client.until(() => client.received.length > 0, 5000);
  expect((await stop()).code).toBe(0);
  expect(await verify(file)).toMatchObject({ code: 0, text: expect.stringMatching(/^1 entries/) });
});

it.each([[[]], [['check']]])('an audit log that cannot be written is an error: arguments %j', (parameters) => {
  const settings = {
    VDS_UPSTREAM_URL: 'http://127.0.0.1:9',
    VDS_AUDIT_FILE: `${auditFile()}/missing/x.log`,
    VDS_VIN_HASH_KEY: key,
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
});

it('withdrawals that a limit rejects leave no entries', async () => {
  const file = auditFile();
  const upstream = await startRawUpstream((socket) => socket.end(responseWith('{}')));
  const { port, stop } = await startProgram({
    VDS_UPSTREAM_URL: upstream.url,
    VDS_AUDIT_FILE: file,
    VDS_VIN_HASH_KEY: key,
    VDS_LIMIT_PER_CLIENT: '1/60s',
  });
  const statuses: string[] = [];
  for (let index = 0; index < 3; index++) {
    const client = connectTo(port);
    client.send(requestLines(`DELETE ${withdrawal}`));
    await client.until(() => client.received.length > 0, 5000);
    statuses.push(String(client.received).slice(9, 12));
  }
  expect(statuses.slice(1)).toEqual(['429', '429']);
  expect((await stop()).code).toBe(0);
  expect(await verify(file)).toMatchObject({ code: 0, text: expect.stringMatching(/^1 entries/) });
});

it.each([
  ['no connection was made', { status: 502, code: 'upstream-unreachable', attempts: 1 }, false],
  ['it was rejected before', { status: 429, code: 'rate-limited', attempts: 0 }, false],
  ['no response came', { status: 504, code: 'upstream-timeout', attempts: 1 }, true],
])('an entry says whether the upstream can have received the withdrawal: %s', async (_, ended, sent) => {
  const file = auditFile();
  const log = new AuditLog(file, key, silent);
  log.onWithdrawal(Object.assign(new OpenRecord('one'), ended), 'brand_a', '');
  await log.close();
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ code: ended.code, sent });
});
