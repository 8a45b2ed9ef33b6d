import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import getPort from 'get-port';
import { run } from '../run.ts';
import type { Consumer } from './consumer.ts';
import { startServer } from './server-process.ts';

/** Finds a program in the platform package that holds it; no install script has to put it in place. */
export async function platformBinary(runtimes: string, scope: string, ...inside: readonly string[]): Promise<string> {
  const folder = join(runtimes, 'node_modules', scope);
  for (const name of await readdir(folder)) {
    const file = join(folder, name, ...inside);
    if (existsSync(file)) return file;
  }
  throw new Error(`${scope} has no binary for this platform`);
}

/** Runs a bundled script in the page of a headless Chromium and returns the text of its body. */
export async function inChromium(consumer: Consumer, chromium: string, script: string): Promise<string> {
  const page = join(consumer.folder, 'page.html');
  await writeFile(page, `<!doctype html><meta charset="utf-8"><body></body><script src="${script}"></script>`);
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];
  const profile = `--user-data-dir=${join(consumer.folder, 'chromium-profile')}`;
  const { stdout, stderr } = await run(
    chromium,
    [...flags, profile, '--virtual-time-budget=10000', '--dump-dom', `file://${page}`],
    { cwd: consumer.folder, env: consumer.env(), timeoutMs: 60_000 },
  );
  const text = /<body>([\s\S]*?)<\/body>/.exec(stdout)?.[1];
  if (text === undefined) throw new Error(`chromium showed no page:\n${stdout}${stderr}`);
  return text.replace(/<script[\s\S]*?<\/script>/g, '').trim();
}

interface Worker {
  /** The bundled module, in the consumer's folder. */
  readonly script: string;
  readonly path?: string;
  readonly bindings?: Readonly<Record<string, string>>;
}

/** Serves a bundled Worker with workerd and returns its response to one request. */
export async function inWorkerd(
  consumer: Consumer,
  workerd: string,
  { script, path = '/', bindings = {} }: Worker,
): Promise<string> {
  const port = await getPort();
  const texts = Object.entries(bindings).map(([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`);
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.js", esModule = embed "${script}")],
    bindings = [${texts.join(', ')}],
    compatibilityDate = "2026-11-01",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;
  await writeFile(join(consumer.folder, 'worker.capnp'), config);
  // workerd says nothing when it is ready; this line is printed before it starts, so the response is asked for repeatedly.
  const command = `echo http://127.0.0.1:${port}; exec "$0" serve worker.capnp`;
  const server = await startServer('/bin/sh', ['-c', command, workerd], {
    cwd: consumer.folder,
    env: consumer.env(),
  });
  try {
    for (let attempt = 0; attempt < 100; attempt++) {
      const response = await fetch(`${server.url}${path}`).catch(() => undefined);
      if (response !== undefined) return await response.text();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`workerd did not respond:\n${server.output()}`);
  } finally {
    await server.stop();
  }
}
