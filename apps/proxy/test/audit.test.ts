import { readFile, stat, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { AuditLog } from '../src/audit/audit-log.js';
import { OpenRecord } from '../src/observability/observer.js';
import { Warnings } from '../src/observability/warnings.js';
import { newFile, runToEnd } from './support/program.ts';

const key = 'k'.repeat(32);
const silent = new Warnings(() => {});

const auditFile = () => newFile('withdrawals.ndjson');

const outcome = { client: 'abcdefghij', address: '192.0.2.7', status: 200, attempts: 1 };

function withdraw(log: AuditLog, requestId: string): void {
  log.onWithdrawal(Object.assign(new OpenRecord(requestId), outcome), 'brand_a', 'TESTVEHCLE0000001');
}

async function verify(file: string, secret = key) {
  const run = await runToEnd({ VDS_AUDIT_FILE: file, VDS_VIN_HASH_KEY: secret }, ['audit', 'verify']);
  return { code: run.code, text: run.stdout + run.stderr };
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
  expect(text).toContain(`vds-proxy: ${problem}`);
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
