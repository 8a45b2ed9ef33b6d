import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { serveSandbox } from './serve-sandbox.js';

const executablePath = '/usr/bin/chromium';
const browserIsHere = existsSync(executablePath);
if (!browserIsHere) console.log(`no browser at ${executablePath}: the trips page is not tried in a real one`);

it.skipIf(!browserIsHere)(
  'the trips page shows the latest trip with its lanes and the position, from the sandbox alone',
  async () => {
    const { base } = await serveSandbox();
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(base) && !request.url().startsWith('data:')) complaints.push(request.url());
      });
      await page.goto(`${base}/sandbox/trips`);
      await page.getByRole('region', { name: 'Signals over assumed time' }).waitFor();
      await page.getByRole('heading', { name: 'Latest location' }).waitFor();
      expect(await page.locator('#vehicle option').count()).toBeGreaterThan(1);
      expect(await page.locator('.uplot').count()).toBeGreaterThan(3);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  },
);
