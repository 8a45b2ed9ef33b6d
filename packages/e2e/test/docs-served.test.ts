import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { repository, startApp, stopProcess } from './apps.ts';
import { samplesOf } from './markdown-samples.ts';
import { expectPicture, pictureOf } from './pictures.ts';

// Debian's; no browser is downloaded.
const executablePath = '/usr/bin/chromium';
const hasChromium = existsSync(executablePath);
if (!hasChromium)
  console.log(`The served docs are not looked at: ${executablePath} is missing (apt-get install chromium).`);

test.skipIf(!hasChromium)('a reader opens the docs of a running proxy at the address of an error code', async () => {
  const proxy = await startApp('proxy', { VDS_UPSTREAM_URL: 'http://127.0.0.1:9' });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    const statuses: number[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('response', (response) => {
      if (response.url().startsWith(proxy.address)) statuses.push(response.status());
      else if (!/^(?:data|blob):/.test(response.url())) complaints.push(`response of ${response.url()}`);
    });
    for (const address of ['/docs/errors/4002/', '/docs#error-4002']) {
      await page.goto('about:blank');
      await page.goto(`${proxy.address}${address}`);
      await page.getByRole('heading', { name: '4002 · Invalid request parameters' }).waitFor();
    }
    expect(complaints).toEqual([]);
    expect(statuses.filter((status) => status !== 200 && status !== 308 && status !== 304)).toEqual([]);
  } finally {
    await browser.close();
  }
});

test.skipIf(!hasChromium)('a reader sends a sample from the page and sees the response and a plot', async () => {
  const sandbox = await startApp('sandbox', {});
  const proxy = await startApp('proxy', { VDS_UPSTREAM_URL: sandbox.address });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto(`${proxy.address}/docs/operations/getPowertrainData/`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^HTTP 200 in \d+ ms/).waitFor();
    await page.getByRole('img', { name: /^batteries\.hv\.voltage of the first trip/ }).waitFor();
    await page.goto(`${proxy.address}/docs/operations/stopDataSharing/`);
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0);
  } finally {
    await browser.close();
  }
});

test.skipIf(!hasChromium)('the page of the tutorial "Where is my car" shows a place', async () => {
  const sandbox = await startApp('sandbox', {});
  await fetch(`${sandbox.address}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"now": "2026-03-09T07:00:00Z", "frozen": true}',
  });
  const proxy = await startApp('proxy', { VDS_UPSTREAM_URL: sandbox.address });
  const [sample] = await samplesOf('apps/docs/guides/where-is-my-car.md');
  const [server = ''] = sample?.source.split('const address =') ?? [];
  const file = `${repository}/packages/e2e/test/.cache/where-is-my-car.ts`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(
    file,
    `${server.replaceAll('http://127.0.0.1:8787', proxy.address)}\nconsole.log(JSON.stringify(server.address()));\n`,
  );
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => stopProcess(child));
  const port = await new Promise<string>((resolve) => {
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk;
      const found = /"port":(\d+)/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.getByText(/^-?\d+\.\d{3}°, -?\d+\.\d{3}°$/).waitFor();
  const html = await page.locator('h1, p').evaluateAll((elements) => elements.map(({ outerHTML }) => outerHTML));
  await expectPicture('where-is-my-car', pictureOf(html.join('\n')));
});
