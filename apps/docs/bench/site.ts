// The built site on a free port, and a browser to look at it with.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { executablePath } from '../../../scripts/chromium.ts';

const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
};

/**
 * Serves a built site at `/docs/`.
 *
 * @param folder default the site of this package, `dist`
 * @returns its address, which ends with `/docs/`, and what ends the server
 */
export async function serveSite(folder?: string): Promise<{ readonly site: string; close(): void }> {
  const dist = folder === undefined ? new URL('../dist/', import.meta.url) : pathToFileURL(`${folder}/`);
  const server = createServer(async ({ url = '' }, response) => {
    const path = url.slice('/docs/'.length).replace(/[?#].*/, '');
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    const body = await readFile(new URL(file, dist)).catch(() => undefined);
    const type = types[file.split('.').at(-1) ?? ''] ?? 'text/plain';
    response.writeHead(body ? 200 : 404, { 'content-type': type, 'cache-control': 'max-age=3600' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { site: `http://127.0.0.1:${port}/docs/`, close: () => void server.close() };
}

/** Starts the browser. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
