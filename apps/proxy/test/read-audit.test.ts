// Reads in the audit log: who has read the data of a vehicle, what a full disk means for it, and that no change of a byte stays unseen.
import { spawnSync } from 'node:child_process';
import { copyFile, link, mkdtemp, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendToChain } from '../src/audit/chain.js';
import { maxWaitingReads, ReadLog, type ReadLogOptions, reservedBytes } from '../src/audit/read-log.js';
import { SegmentKeeper } from '../src/audit/segment-keeper.js';
import { closeSegment, segmentsOf } from '../src/audit/segments.js';
import { makeSigningKey, readSigner } from '../src/audit/signing-key.js';
import type { ForwardPlan } from '../src/forward/forward-plan.js';
import { OpenRecord } from '../src/observability/observer.js';
import { Warnings } from '../src/observability/warnings.js';
import {
  auditCommand,
  auditEntries,
  auditKey,
  canLimitFiles,
  fillAuditLog,
  limitFiles,
  startAudited,
  verifyAudit,
} from './support/audited-proxy.ts';
import { newFile, program } from './support/program.ts';
import { rejection, responseWith, startRawUpstream, startUpstream, successBody } from './support/servers.ts';
import { consent, locationOf, vin } from './support/set-up.ts';

const auditFile = () => newFile('audit.ndjson');
const silent = new Warnings(() => {});
/** A vehicle whose consent goes on while that of {@link vin} is withdrawn. */
const otherVin = 'TESTVEHCLE0000009';

async function readsIn(file: string): Promise<Record<string, unknown>[]> {
  return (await auditEntries(file)).flatMap(({ reads }) => (Array.isArray(reads) ? reads : []));
}

const plan: ForwardPlan = {
  operationId: 'getLocation',
  coding: 'identity',
  request: { method: 'GET', target: '/', headers: [], repeatable: true },
  brand: 'brand_a',
  vehicle: vin,
  days: ['', ''],
  token: 'forward',
};
const recordOf = (client: string) =>
  Object.assign(new OpenRecord('one'), { client, status: 200, bytes: 7, attempts: 1 });

function openReads(file: string, more: Partial<ReadLogOptions> = {}): ReadLog {
  return new ReadLog(file, { key: auditKey, warnings: silent, everyMs: 20, ...more });
}

it('reads that were sent are in the chain with client, vehicle, operation, days, outcome and bytes, and no VIN', async () => {
  const file = auditFile();
  const upstream = await startUpstream(({ url }) => (url.includes('/locations') ? rejection('5001', 500) : {}));
  const proxy = await startAudited(file, upstream.url, { VDS_AUDIT_READS: 'on', VDS_ADMIN_PORT: '0' });
  const history = locationOf(vin.toLowerCase()).replace('locations', 'powertrains/data');
  expect((await proxy.call(locationOf())).status).toBe(500);
  expect((await proxy.call(`${history}?startDate=20260101&endDate=20260103&zoneId=UTC`)).status).toBe(200);
  expect((await proxy.call(consent)).status).toBe(200);
  expect((await proxy.call(locationOf('short'))).status).toBe(400);
  expect((await proxy.withdraw()).status).toBe(200);
  await expect.poll(() => proxy.adminPage('/metrics')).toMatch(/audit_entries_total\{kind="read"\} 3\n/);
  expect((await proxy.stop()).code).toBe(0);
  const reads = await readsIn(file);
  const vehicle = expect.stringMatching(/^[0-9a-f]{32}$/);
  expect(reads[0]).toMatchObject({ vehicle, operation: 'getLocation', brand: 'brand_a', from: '', status: 500 });
  expect(reads[0]?.['bytes']).toBeGreaterThan(50);
  const days = { from: '20260101', to: '20260103' };
  expect(reads[1]).toMatchObject({ ...days, operation: 'getPowertrainData', vehicle: reads[0]?.['vehicle'] });
  expect(reads.at(-1)).toMatchObject({ vehicle: null, operation: 'listVehicles', status: 200, code: '' });
  expect(reads).toHaveLength(3);
  expect(await readFile(file, 'utf8')).not.toMatch(new RegExp(vin, 'i'));
  expect(await verifyAudit(file)).toMatchObject({ code: 0 });
});

describe('the accounting of one vehicle', () => {
  async function logged() {
    const file = auditFile();
    const log = openReads(file);
    for (const client of ['=app', '<b>fleet', '=app']) log.read(recordOf(client), plan);
    log.read(recordOf('other'), { ...plan, vehicle: otherVin });
    log.read(recordOf('lister'), { ...plan, vehicle: '', operationId: 'listVehicles' });
    await log.close();
    return file;
  }

  it('has who, what, how often and when last, as table, CSV and page, from any way to name the VIN', async () => {
    const file = await logged();
    const table = await auditCommand('who', file, auditKey, ['--vin', vin.toLowerCase()]);
    expect(table.code).toBe(0);
    expect(table.text).toMatch(/^=app +getLocation +brand_a +2 +2 +14 +2\S+Z +2\S+Z$/m);
    expect(table.text).toMatch(/^<b>fleet +getLocation +brand_a +1 /m);
    expect(table.text).toMatch(/name no vehicle[\s\S]*\nlister +listVehicles/);
    expect(table.text).not.toContain('other');
    const vinFile = newFile('vin.txt');
    await writeFile(vinFile, `${vin}\n`);
    const csv = await auditCommand('who', file, auditKey, ['--vin-file', vinFile, '--csv']);
    expect(csv.text).toContain('"yes","\'=app","getLocation","brand_a","2"');
    const page = await auditCommand('who', file, auditKey, ['--vin', vin, '--html']);
    expect(page.text).toContain('<td>&lt;b&gt;fleet</td>');
    expect(page.text).toMatch(/^<!doctype html>/);
    const json = await auditCommand('who', file, auditKey, ['--vin', vin, '--json']);
    expect(JSON.parse(json.text)).toMatchObject({
      vehicle: expect.stringMatching(/^[0-9a-f]{32}$/),
      rows: expect.arrayContaining([
        expect.objectContaining({ client: '=app', operation: 'getLocation', count: 2, good: 2 }),
      ]),
    });
    expect(await auditCommand('who', file, auditKey, ['--vin', vin, '--json', '--csv'])).toMatchObject({ code: 1 });
    const environment = { VDS_AUDIT_FILE: file, VDS_VIN_HASH_KEY: auditKey };
    const list = [program, 'audit', 'who', '--vin', '-'];
    const piped = spawnSync(process.execPath, list, { env: environment, input: `${vin}\n`, encoding: 'utf8' });
    expect(piped.stdout).toBe(table.text);
    for (const text of [table.text, csv.text, page.text, json.text]) expect(text).not.toMatch(new RegExp(vin, 'i'));
  });

  it.each([
    { list: ['--vin', 'TESTVEHCLE00000012'], problem: '--vin: must be one VIN' },
    { list: ['--vin-file', '/nowhere/TESTVEHCLE'], problem: '--vin-file: the file cannot be read' },
    { list: [], problem: '--vin: must be set' },
  ])('rejects wrong flags without repeating them: $list', async ({ list, problem }) => {
    const { code, text } = await auditCommand('who', await logged(), auditKey, list);
    expect(code).toBe(1);
    expect(text).toContain(problem);
    expect(text).not.toContain('TESTVEHCLE');
  });

  it('finds entries of earlier keys, and a file that was changed stops it', async () => {
    const file = await logged();
    const log = openReads(file, { key: 'n'.repeat(32) });
    log.read(recordOf('=app'), plan);
    await log.close();
    const earlier = newFile('earlier.txt');
    await writeFile(earlier, `${auditKey}\n`);
    const list = ['--vin', vin, '--earlier-keys', earlier];
    const { code, text } = await auditCommand('who', file, 'n'.repeat(32), list);
    expect(code).toBe(0);
    expect(text).toMatch(/^=app +getLocation +brand_a +3 /m);
    expect((await auditCommand('verify', file, 'n'.repeat(32), ['--earlier-keys', earlier])).code).toBe(0);
    // A key that is over cannot write once more.
    await appendToChain(file, auditKey, [{ kind: 'summary' }]);
    expect(await auditCommand('who', file, 'n'.repeat(32), list)).toEqual({
      code: 1,
      text: expect.stringContaining('was written with another key'),
    });
  });
});

describe('a log of several files', () => {
  /** Files that were put aside, three where nothing else is said, and the one that is written. */
  async function segmented(closed = 3) {
    const file = auditFile();
    const keyFile = newFile('signing.pem');
    const publicKey = newFile('public.pem');
    await writeFile(publicKey, makeSigningKey(keyFile));
    const signer = readSigner(keyFile, 'key');
    for (let index = 0; index <= closed; index++) {
      if (index > 0) await closeSegment(file, auditKey, { kind: 'summary', rejected: [] }, signer);
      await appendToChain(file, auditKey, [{ time: new Date().toISOString(), kind: 'reads', reads: [] }]);
    }
    return { file, signer, publicKey, keyFile };
  }

  const verifyWith = (file: string, publicKey: string, key = auditKey) =>
    auditCommand('verify', file, key, ['--public-key', publicKey]);

  it('finds every changed byte of a file, also with the public key alone', async () => {
    const { file, publicKey } = await segmented(1);
    expect(await verifyWith(file, publicKey)).toMatchObject({ code: 0, text: expect.stringContaining('checked: 1') });
    for (const each of await segmentsOf(file)) {
      const bytes = await readFile(each);
      for (let place = 0; place < bytes.length; place++) {
        const changed = Buffer.from(bytes);
        // Another letter case, another line end, and bytes that are no text.
        changed[place] = (changed[place] ?? 0) ^ ([0x20, 0x07, 0x80, 0x01][place % 4] ?? 1);
        await writeFile(each, changed);
        if ((await verifyAudit(file)).code === 0) throw new Error(`byte ${place} of ${basename(each)}`);
        if (each !== file && (await verifyWith(file, publicKey, '')).code === 0)
          throw new Error(`byte ${place} of ${basename(each)}, with the public key`);
      }
      await writeFile(each, bytes);
    }
    expect((await verifyWith(file, publicKey, '')).code).toBe(0);
  });

  it('finds a line end that becomes another one', async () => {
    const { file } = await segmented();
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('\n', '\r'));
    expect((await verifyAudit(file)).code).toBe(1);
  });

  it('finds lines that were removed or moved, files that were cut, swapped or taken away, and a signature of somebody else', async () => {
    const { file } = await segmented(2);
    const files = await segmentsOf(file);
    const texts = await Promise.all(files.map((each) => readFile(each, 'utf8')));
    const [one = '', two = ''] = files;
    const [textOne = '', textTwo = ''] = texts;
    const lines = textTwo.trimEnd().split('\n');
    const bad = async (changes: Record<string, string>) => {
      for (const [path, text] of Object.entries(changes)) await writeFile(path, text);
      const { code } = await verifyAudit(file);
      for (const [index, path] of files.entries()) await writeFile(path, texts[index] ?? '');
      return code;
    };
    for (let index = 0; index < lines.length; index++)
      expect(await bad({ [two]: `${lines.toSpliced(index, 1).join('\n')}\n` })).toBe(1);
    const [a = '', b = '', ...rest] = lines;
    expect(await bad({ [two]: `${[b, a, ...rest].join('\n')}\n` })).toBe(1);
    for (let cut = 1; cut < textTwo.length; cut += 7) expect(await bad({ [two]: textTwo.slice(0, -cut) })).toBe(1);
    expect(await bad({ [one]: textOne.slice(0, -1) })).toBe(1);
    expect(await bad({ [two]: '' })).toBe(1);
    expect(await bad({ [one]: textTwo, [two]: textOne })).toBe(1);
    await unlink(two);
    expect((await verifyAudit(file)).code).toBe(1);
    await writeFile(two, textTwo);
    expect(await verifyAudit(file)).toMatchObject({ code: 0 });
    const stranger = newFile('stranger.pem');
    await writeFile(stranger, makeSigningKey(newFile('other.pem')));
    expect(await verifyWith(file, stranger)).toMatchObject({ code: 1, text: expect.stringContaining('--public-key') });
  });

  it('loses its oldest files to retention, and is whole from the oldest that is kept; an entry says so', async () => {
    const { file } = await segmented();
    expect(await auditCommand('prune', file, auditKey, ['--older-than', '90d'])).toEqual({
      code: 0,
      text: '0 files are deleted\n',
    });
    const later = () => Date.now() + 40 * 86_400_000;
    const rules = { key: auditKey, signer: null, maxBytes: 1e9, keepDays: 30, warnings: silent };
    const keeper = new SegmentKeeper(file, { ...rules, nowMs: later });
    await keeper.look();
    await keeper.close();
    // The day of the last one was over: it was put aside, and is as old as the others.
    expect(await segmentsOf(file)).toEqual([file]);
    expect((await auditEntries(file)).map(({ kind }) => kind)).toEqual(['summary', 'prune']);
    expect(await verifyAudit(file)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^2 entries.*\nthe entries up to 11 were deleted because of their age/),
    });
    expect((await auditCommand('prune', file, auditKey, ['--older-than', 'zebra'])).text).toBe(
      '--older-than: must be set to days, such as 90d',
    );
  });

  it('goes on after a crash between the second name of a file and the new file', async () => {
    const { file, publicKey, signer } = await segmented();
    const { number } = (await auditEntries(file)).at(-1) ?? {};
    await link(file, `${file}.${number}`);
    await appendToChain(file, auditKey, [{ kind: 'summary', rejected: [] }]);
    expect((await verifyAudit(file)).code).toBe(0);
    await closeSegment(file, auditKey, { kind: 'summary', rejected: [] }, signer);
    expect(await verifyWith(file, publicKey)).toMatchObject({ code: 0, text: expect.stringContaining('checked: 4') });
  });

  it.skipIf(!canLimitFiles)('keeps the file as it is when the disk is full while it is put aside', async () => {
    const { file, publicKey, keyFile } = await segmented();
    const before = await readFile(file, 'utf8');
    const { size } = await stat(file);
    const environment = { ...process.env, VDS_AUDIT_FILE: file, VDS_VIN_HASH_KEY: auditKey };
    // No room for the new file; then for that one, but not for the last line of the old one.
    for (const limit of [100, size + 20]) {
      const list = [`--fsize=${limit}:`, process.execPath, program, 'audit', 'rotate', '--signing-key', keyFile];
      const ended = spawnSync('prlimit', list, { env: environment, encoding: 'utf8' });
      expect([ended.status, ended.stderr]).toEqual([1, expect.stringContaining('cannot be read or written')]);
      expect(await readFile(file, 'utf8')).toBe(before);
      expect((await readdir(dirname(file))).filter((name) => /next|lock/.test(name))).toEqual([]);
    }
    expect((await auditCommand('rotate', file, auditKey, ['--signing-key', keyFile])).code).toBe(0);
    expect((await verifyWith(file, publicKey)).code).toBe(0);
  });

  it('never holds an entry twice or loses one while several processes write and put it aside', async () => {
    const file = auditFile();
    const logs = [1, 2, 3].map(() => openReads(file, { everyMs: 1 }));
    const rules = { key: auditKey, signer: null, maxBytes: 2000, keepDays: null, warnings: silent };
    const keepers = [1, 2].map(() => new SegmentKeeper(file, rules));
    // As many rounds as it takes until the file was put aside a few times.
    let rounds = 0;
    while (rounds < 20 || (rounds < 500 && (await segmentsOf(file)).length < 4)) {
      for (const log of logs) for (let index = 0; index < 5; index++) log.read(recordOf(`c-${rounds}`), plan);
      await Promise.all(keepers.map((keeper) => keeper.look()));
      rounds++;
    }
    await Promise.all(logs.map((log) => log.close()));
    await Promise.all(keepers.map((keeper) => keeper.close()));
    const files = await segmentsOf(file);
    expect(files.length).toBeGreaterThan(2);
    expect((await Promise.all(files.map(readsIn))).flat()).toHaveLength(rounds * 15);
    expect((await verifyAudit(file)).code).toBe(0);
  });
});

describe('on a full disk', () => {
  it('reads wait in a bounded buffer; what has no room is counted in a gap, and a warning says so', async () => {
    const file = auditFile();
    let free = 0;
    let lost = 0;
    const warnings = new Warnings(() => {});
    const log = openReads(file, {
      warnings,
      freeBytes: async () => free,
      onLost: (count) => {
        lost += count;
      },
    });
    for (let index = 0; index < maxWaitingReads + 5; index++) log.read(recordOf('app'), plan);
    await expect.poll(() => warnings.active()).toEqual(['audit-reads']);
    expect([log.waiting, lost]).toEqual([maxWaitingReads, 5]);
    // A little less than withdrawals keep for themselves.
    free = reservedBytes - 1;
    await new Promise((resolve) => setTimeout(resolve, 100));
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
    free = reservedBytes;
    await expect.poll(() => warnings.active()).toEqual([]);
    log.read(recordOf('later'), plan);
    await log.close();
    expect(await readsIn(file)).toHaveLength(maxWaitingReads + 1);
    const kinds = (await auditEntries(file)).slice(-2);
    expect(kinds).toMatchObject([{ kind: 'gap', reason: 'reads-no-room', lost: 5 }, { kind: 'reads' }]);
    expect((await verifyAudit(file)).text).toMatch(/gap at \S+ \(reads-no-room\): 5 entries are lost/);
  });

  it.skipIf(!canLimitFiles)(
    'withdrawals are noted in their own room beside a flood of reads, and come first',
    async () => {
      const file = auditFile();
      await fillAuditLog(file);
      const { size } = await stat(file);
      const upstream = await startRawUpstream((socket) => socket.write(responseWith(successBody({}))));
      const settings = { VDS_AUDIT_READS: 'on', VDS_ADMIN_PORT: '0' };
      const proxy = await startAudited(file, upstream.url, settings);
      limitFiles(proxy.process.pid, size);
      const flood = async () => {
        for (let index = 0; index < 100; index++) await proxy.call(locationOf(otherVin));
      };
      const withdrawals = async () => {
        for (let index = 0; index < 3; index++) expect((await proxy.withdraw()).status).toBe(200);
      };
      await Promise.all([flood(), flood(), withdrawals()]);
      await expect.poll(() => proxy.adminPage('/metrics')).toMatch(/^vds_proxy_audit_reads_waiting 200$/m);
      await expect.poll(() => proxy.ready()).toContain('audit-reads');
      expect(proxy.output.stderr.match(/audit entry held: \{/g)).toHaveLength(6);
      limitFiles(proxy.process.pid, 'unlimited');
      await expect.poll(() => proxy.ready()).not.toContain('audit-reads');
      expect((await proxy.stop()).code).toBe(0);
      const kinds = (await auditEntries(file)).slice(300).map(({ kind }) => kind);
      expect(kinds.slice(0, 6).sort()).toEqual(['intent', 'intent', 'intent', 'outcome', 'outcome', 'outcome']);
      expect(await readsIn(file)).toHaveLength(200);
      expect(await verifyAudit(file)).toMatchObject({ code: 0, text: expect.not.stringContaining('no outcome') });
    },
  );
});

it('a process that is killed beside a flood of reads leaves a whole chain, and every withdrawal in it', async () => {
  const file = auditFile();
  const upstream = await startRawUpstream((socket) => socket.write(responseWith(successBody({}))));
  const proxy = await startAudited(file, upstream.url, { VDS_AUDIT_READS: 'on', VDS_AUDIT_SEGMENT_MB: '1' });
  let good = 0;
  const flood = async () => {
    for (;;) if ((await proxy.call(locationOf(otherVin)).catch(() => null)) === null) return;
  };
  const withdrawals = async () => {
    for (;;) {
      const status = await proxy.withdraw().catch(() => null);
      if (status === null) return;
      if (++good === 20) proxy.process.kill('SIGKILL');
    }
  };
  await Promise.all([flood(), flood(), withdrawals()]);
  await proxy.exit;
  const next = await startAudited(file, upstream.url, { VDS_AUDIT_READS: 'on' });
  expect((await next.stop()).code).toBe(0);
  const outcomes = (await auditEntries(file)).filter(({ kind, sent }) => kind === 'outcome' && sent === true);
  const intents = (await auditEntries(file)).filter(({ kind }) => kind === 'intent');
  expect(intents.length).toBeGreaterThanOrEqual(good);
  expect(outcomes.length).toBeGreaterThanOrEqual(good - 1);
  expect((await verifyAudit(file)).code).toBe(0);
});

it('a log that is copied elsewhere is verified with the public key alone', async () => {
  const file = auditFile();
  const keyFile = newFile('signing.pem');
  const made = await auditCommand('new-key', file, auditKey, ['--signing-key', keyFile]);
  expect(made.text).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
  expect((await stat(keyFile)).mode & 0o077).toBe(0);
  expect((await auditCommand('new-key', file, auditKey, ['--signing-key', keyFile])).code).toBe(1);
  expect(await auditCommand('public-key', file, auditKey, ['--signing-key', keyFile])).toEqual(made);
  const log = openReads(file);
  log.read(recordOf('app'), plan);
  await log.close();
  const { text } = await auditCommand('rotate', file, auditKey, ['--signing-key', keyFile]);
  const aside = text.replace(/^put aside as (.*)\n$/, '$1');
  const folder = await mkdtemp(join(tmpdir(), 'copied-'));
  const copy = join(folder, basename(aside));
  await copyFile(aside, copy);
  const publicKey = join(folder, 'public.pem');
  await writeFile(publicKey, made.text);
  const checked = await auditCommand('verify', copy, '', ['--public-key', publicKey]);
  expect(checked).toMatchObject({ code: 0, text: expect.stringMatching(/^2 entries[\s\S]*signatures checked: 1/) });
});
