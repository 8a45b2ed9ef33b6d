import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  // Inline, since a page of a file may not load modules.
  const source = (await readFile(join(consumer.folder, script), 'utf8')).replaceAll('</script', '<\\/script');
  await writeFile(page, `<!doctype html><meta charset="utf-8"><body></body><script type="module">${source}</script>`);
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

/** Serves a bundled Worker with workerd and returns its response. */
export async function inWorkerd(consumer: Consumer, workerd: string, script: string): Promise<string> {
  const server = await startServer(async (port) => {
    const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.js", esModule = embed "${script}")],
    compatibilityDate = "2026-11-01",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;
    await writeFile(join(consumer.folder, 'worker.capnp'), config);
    return { command: workerd, args: ['serve', 'worker.capnp'], cwd: consumer.folder, env: consumer.env() };
  });
  try {
    return await (await fetch(server.url)).text();
  } finally {
    await server.stop();
  }
}
