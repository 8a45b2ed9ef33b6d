import { spawnSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import {
  createReceiptKey,
  type ReceiptFacts,
  receiptSigner,
  receiptsPage,
  receiptText,
  signReceipt,
  verifyReceipt,
} from '../src/receipts/index.js';
import { archiveIn, newFolder } from './folders.ts';
import { now, syntheticWindow, vehiclesOf, vin } from './synthetic-source.ts';

const facts: ReceiptFacts = {
  record_id: '3f0c1b1e-0f4b-4f0e-9a52-8d2f6e1b7c11',
  issuer: { component: 'proxy', software: '@vehicle-data/proxy', software_version: '1.0.0' },
  pii_principal_id: '5f0c'.repeat(8),
  account: 'Zoë & <sons>',
  brand: 'brand_a',
  signal: { event_type: 'withdrawal', event_state: 'dpv:ConsentWithdrawn', event_time: '2026-03-12T10:00:00.000Z' },
  processing: 'dpv:Restrict',
  storage: [],
  storage_complete: true,
  completed: { time: '2026-03-12T10:00:00.500Z', method: 'requests-rejected' },
  generation: 1,
};

const schema = JSON.parse(await readFile(new URL('../schema/receipt.schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ allErrors: true });
formats.default(ajv);
const validate = ajv.compile(schema);

const exported = {
  vehicles: vehiclesOf(1, 2),
  from: '2026-01-01',
  to: '2026-01-16',
  readWindow: syntheticWindow,
};

test('a purge leaves a receipt that says what there was, and it survives a second purge of the same vehicle', async () => {
  await using archive = await archiveIn(await newFolder());
  await archive.export(exported);
  const held = (await archive.vehicles()).filter(({ vehicle }) => vehicle === archive.pseudonymOf(vin(1)));
  const { receipts: paths } = await archive.reconcile({ brand: 'brand_a', vins: [vin(2)] });
  await archive.export(exported);
  await archive.purge({ vin: vin(1) });
  const receipts = await archive.receipts();
  expect(receipts.map(({ path }) => path)).toEqual([...paths, paths[0]?.replace('-1.json', '-2.json')]);
  const checks = await Promise.all(receipts.map(async ({ text }) => verifyReceipt(text, await archive.receiptKeys())));
  const storage = held.map(({ series, from, to, files, bytes }) => {
    return { series, first_day: from, last_day: to, files, bytes };
  });
  const time = new Date(now).toISOString();
  const common = { pii_principal_id: archive.pseudonymOf(vin(1)), account: null, brand: 'brand_a', storage };
  const done = { completed: { time, method: 'listed-empty' }, processing: 'dpv:Erase', storage_complete: true };
  const [list, request] = [
    { event_type: 'list', event_state: 'dpv:ConsentWithdrawn', event_time: time },
    { event_type: 'request', event_state: null, event_time: expect.any(String) },
  ];
  expect(checks).toMatchObject([
    { ok: true, receipt: { ...common, ...done, signal: list, generation: 1 } },
    { ok: true, receipt: { ...common, ...done, signal: request, generation: 2 } },
  ]);
  for (const { text } of receipts) {
    expect(validate(JSON.parse(text)), ajv.errorsText(validate.errors)).toBe(true);
    expect(text).not.toContain(vin(1));
  }
  expect((await stat(join(archive.folder, 'receipts.key'))).mode & 0o777).toBe(0o600);
  expect(await archive.verify()).toMatchObject({ ok: true, problems: [] });
  // Nothing was held, so nothing was deleted.
  expect(await archive.purge({ vin: vin(9) })).toMatchObject({ receipts: [] });
});

test('every edit of one byte of a receipt is found: changed, left out or doubled', async () => {
  const signer = await receiptSigner(await createReceiptKey());
  const bytes = new TextEncoder().encode(receiptText(await signReceipt(facts, signer)));
  const check = (content: Uint8Array) => verifyReceipt(content, [signer.publicKey]);
  expect(await check(bytes)).toMatchObject({ ok: true, receipt: facts });
  const found = { 'not-a-receipt': 0, 'unknown-key': 0, 'wrong-signature': 0 };
  for (const [at, byte] of bytes.entries()) {
    // Another bit of each byte.
    const instead = [[], [byte, byte], [byte ^ (1 << (at % 8))]];
    for (const edit of instead.map((bytesOfEdit) => Uint8Array.from([...bytes].toSpliced(at, 1, ...bytesOfEdit)))) {
      const result = await check(edit);
      if (result.ok) throw new Error(`byte ${at} was edited, and nothing was found`);
      found[result.reason] += 1;
    }
  }
  expect(Object.values(found).reduce((sum, count) => sum + count)).toBe(3 * bytes.length);
  expect(found['wrong-signature']).toBeGreaterThan(300);
  // The last letter of the signature has bits that say nothing; they count as well.
  expect(await check(new TextEncoder().encode(` ${new TextDecoder().decode(bytes)}`))).toMatchObject({ ok: false });
});

test('OpenSSL verifies a receipt with the public key alone, and signs with the key that was made', async () => {
  const privateKey = await createReceiptKey();
  const signer = await receiptSigner(privateKey);
  const receipt = await signReceipt(facts, signer);
  const folder = await newFolder();
  // Canonical JSON: the receipt without its signature, which is between two other members.
  const signed = receiptText(receipt)
    .trimEnd()
    .replace(/"signature":\{[^}]*\},/, '');
  await writeFile(join(folder, 'signed'), signed);
  await writeFile(join(folder, 'public.pem'), signer.publicKey);
  await writeFile(join(folder, 'signature'), Buffer.from(receipt.signature.value, 'base64url'));
  const line = 'pkeyutl -verify -pubin -inkey public.pem -rawin -in signed -sigfile signature';
  const { status, stdout, stderr } = spawnSync('openssl', line.split(' '), { cwd: folder, encoding: 'utf8' });
  expect([status, stdout.trim(), stderr]).toEqual([0, 'Signature Verified Successfully', '']);
  const other = await receiptSigner(await createReceiptKey());
  expect(await verifyReceipt(receiptText(receipt), [other.publicKey])).toEqual({ ok: false, reason: 'unknown-key' });
  expect(await verifyReceipt(receiptText(receipt), ['no key', other.publicKey, signer.publicKey])).toMatchObject({
    ok: true,
  });
  await expect(receiptSigner('no key')).rejects.toThrow('no Ed25519 private key');
});

test('the page of receipts shows names as text, and warns of one that was changed', async () => {
  const signer = await receiptSigner(await createReceiptKey());
  const text = receiptText(await signReceipt(facts, signer));
  const pageOf = async (shown: string) =>
    receiptsPage([{ text: shown, check: await verifyReceipt(shown, [signer.publicKey]) }]);
  const page = await pageOf(text);
  expect(page).toContain('<dd>Zoë &amp; &lt;sons&gt;</dd>');
  expect(page).toContain('No longer passed on, on 2026-03-12 10:00:00 UTC');
  expect(page).not.toContain('<sons>');
  expect(page).not.toMatch(/<script|src=|href=/);
  expect(await pageOf(text.replace('brand_a', 'brand_b'))).toContain('The signature is wrong: it was changed.');
});
