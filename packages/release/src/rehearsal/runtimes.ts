import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Consumer } from './consumer.ts';
import { startServer } from './server-process.ts';

/** Finds a program in the platform package that holds it; no install script has to put it in place. */
export function platformBinary(runtimes: string, pattern: string): string {
  const [file] = globSync(`node_modules/${pattern}`, { cwd: runtimes }).toSorted();
  if (file === undefined) throw new Error(`there is no ${pattern} for this platform`);
  return join(runtimes, file);
}

/** Runs a bundled script in the page of a headless Chromium and returns the text of its body. */
export async function inChromium(consumer: Consumer, chromium: string, script: string): Promise<string> {
  const page = join(consumer.folder, 'page.html');
  // Inline, since a page of a file may not load modules.
  const source = (await readFile(join(consumer.folder, script), 'utf8')).replaceAll('</script', '<\\/script');
  await writeFile(page, `<!doctype html><meta charset="utf-8"><body></body><script type="module">${source}</script>`);
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];
  const profile = `--user-data-dir=${join(consumer.folder, 'chromium-profile')}`;
  const dump = ['--virtual-time-budget=10000', '--dump-dom', `file://${page}`];
  const shown = await consumer.run(chromium, [...flags, profile, ...dump]);
  const text = /<body>([\s\S]*?)<\/body>/.exec(shown)?.[1];
  if (text === undefined) throw new Error(`chromium showed no page:\n${shown}`);
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
