// Withdrawals while things break: no one of them is sent without a line in the audit log, or without a gap that says so.
import { readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  auditEntries,
  canLimitFiles,
  fillAuditLog,
  limitFiles,
  startAudited,
  verifyAudit,
} from './support/audited-proxy.ts';
import { newFile } from './support/program.ts';
import { responseWith, startRawUpstream, successBody } from './support/servers.ts';
import { connectTo, requestLines, withdrawal } from './support/set-up.ts';

const good = responseWith(successBody({}));
const kindsAfter = async (file: string, fillers: number) =>
  (await auditEntries(file)).slice(fillers).map(({ kind }) => kind);

it('a process that is killed while a withdrawal is under way leaves its intent, and verify names it', async () => {
  const file = newFile('withdrawals.ndjson');
  let reached = () => {};
  const arrived = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const upstream = await startRawUpstream(() => reached());
  const proxy = await startAudited(file, upstream.url);
  const client = connectTo(proxy.port);
  client.send(requestLines(`DELETE ${withdrawal}`));
  await arrived;
  proxy.process.kill('SIGKILL');
  await proxy.exit;
  const next = await startAudited(file, upstream.url);
  expect((await next.stop()).code).toBe(0);
  expect(await kindsAfter(file, 0)).toEqual(['intent']);
  const text = expect.stringMatching(
    /^1 entries.*\na withdrawal has no outcome: request \S+, .*it may have taken effect\n$/s,
  );
  expect(await verifyAudit(file)).toMatchObject({ code: 0, text });
});

describe.skipIf(!canLimitFiles)('on a full disk', () => {
  /** A proxy whose audit log cannot grow. */
  async function startFull(more: Record<string, string> = {}) {
    const file = newFile('withdrawals.ndjson');
    await fillAuditLog(file);
    const { size } = await stat(file);
    const upstream = await startRawUpstream((socket) => socket.write(good));
    const proxy = await startAudited(file, upstream.url, { VDS_ADMIN_PORT: '0', ...more });
    limitFiles(proxy.process.pid, size);
    return { file, proxy, upstream, makeRoom: () => limitFiles(proxy.process.pid, 'unlimited') };
  }

  it('withdrawals are sent, their entries held and printed, and written in order when there is room again', async () => {
    const { file, proxy, upstream, makeRoom } = await startFull();
    for (let index = 0; index < 3; index++) expect((await proxy.withdraw()).status).toBe(200);
    expect(upstream.requests()).toHaveLength(3);
    await expect.poll(() => proxy.output.stderr.match(/audit entry held: \{/g)).toHaveLength(6);
    expect(proxy.output.stderr).not.toContain('TESTVEHCLE0000001');
    expect(await proxy.ready()).toContain('audit-log');
    expect(await proxy.adminPage('/metrics')).toMatch(/^vds_proxy_audit_entries_waiting 6$/m);
    makeRoom();
    await expect.poll(async () => (await verifyAudit(file)).text).toMatch(/^306 entries/);
    await expect.poll(() => proxy.ready()).not.toContain('audit-log');
    expect((await proxy.withdraw()).status).toBe(200);
    expect((await proxy.stop()).code).toBe(0);
    expect(await kindsAfter(file, 300)).toEqual(Array(4).fill(['intent', 'outcome']).flat());
    expect((await verifyAudit(file)).text).not.toMatch(/no outcome|gap/);
  });

  it('a killed process leaves what it held, and the next one writes it behind a gap', async () => {
    const { file, proxy, upstream } = await startFull();
    for (let index = 0; index < 2; index++) expect((await proxy.withdraw()).status).toBe(200);
    // They are printed before they are in the room beside the log, which says at its beginning how many it has.
    const isRoom = (name: string) => name.startsWith(`${basename(file)}.held-`);
    const heads = async () =>
      (await readdir(dirname(file)))
        .filter(isRoom)
        .map((name) => readFileSync(join(dirname(file), name), 'latin1').split('\n')[0]);
    await expect.poll(heads).toEqual([expect.stringMatching(/ 4 *$/)]);
    proxy.process.kill('SIGKILL');
    await proxy.exit;
    const next = await startAudited(file, upstream.url);
    expect((await next.stop()).code).toBe(0);
    const held = ['intent', 'outcome', 'intent', 'outcome'];
    expect(await kindsAfter(file, 300)).toEqual(['gap', ...held]);
    const text = expect.stringMatching(
      /gap at \S+ \(process-killed\): 0 entries are lost, 4 were held and follow it\n$/,
    );
    expect(await verifyAudit(file)).toMatchObject({ code: 0, text });
  });

  it('with VDS_AUDIT_REQUIRED, nothing is sent until there is room', async () => {
    const { file, proxy, upstream, makeRoom } = await startFull({ VDS_AUDIT_REQUIRED: 'on' });
    for (let index = 0; index < 5; index++) {
      const { status, text } = await proxy.withdraw();
      expect([status, text]).toEqual([503, expect.stringContaining('audit-unavailable')]);
    }
    expect(upstream.requests()).toHaveLength(0);
    makeRoom();
    await expect.poll(async () => (await proxy.withdraw()).status).toBe(200);
    expect((await proxy.stop()).code).toBe(0);
    const sent = (await auditEntries(file)).filter((entry) => entry['sent'] === true);
    expect(sent).toHaveLength(upstream.requests().length);
    expect((await verifyAudit(file)).text).not.toContain('no outcome');
  });
});
