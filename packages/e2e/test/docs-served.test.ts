import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { startApp } from './apps.ts';

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
      else if (!/^(?:data|blob):/.test(response.url())) complaints.push(`answer of ${response.url()}`);
    });
    for (const code of ['4002', 'upstream-timeout']) {
      await page.goto('about:blank');
      await page.goto(`${proxy.address}/docs#error-${code}`);
      await page.getByRole('heading', { name: code }).first().waitFor();
    }
    expect(complaints).toEqual([]);
    expect(statuses).toEqual([200, 200]);
  } finally {
    await browser.close();
  }
});
