import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const dist = fileURLToPath(new URL('../dist', import.meta.url));

/** Every export of the main entry. */
export const allEntry = "export * from './index.js';";

/**
 * A program on the built package, bundled and minified by esbuild. Parts that the package loads when they are needed are files
 * of their own, as bundlers make them, unless `inOneFile` is set.
 */
export async function bundled(contents: string, { inOneFile = false, resolveDir = dist } = {}): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    write: false,
    plugins: [
      {
        name: 'parts',
        setup: ({ onResolve }) =>
          onResolve({ filter: /./ }, ({ kind, path }) =>
            kind === 'dynamic-import' && !inOneFile ? { path, external: true } : undefined,
          ),
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

/** Bytes of such a bundle, compressed by gzip at level 9. */
export const sizeOf = async (...program: Parameters<typeof bundled>): Promise<number> =>
  gzipSync(await bundled(...program), { level: 9 }).byteLength;

/**
 * Runs contenders in turns, so that what else the machine does falls on all alike; gives medians in microseconds of the
 * thread's processor time, which other processes hardly change.
 */
export async function interleaved(
  contenders: Readonly<Record<string, () => unknown>>,
  turns: number,
  callsPerTurn: number,
): Promise<ReadonlyMap<string, number>> {
  const times = new Map(Object.keys(contenders).map((name) => [name, [] as number[]]));
  for (let turn = 0; turn < turns + 3; turn += 1) {
    for (const [name, run] of Object.entries(contenders)) {
      const start = process.threadCpuUsage();
      for (let call = 0; call < callsPerTurn; call += 1) await run();
      const { user, system } = process.threadCpuUsage(start);
      // The first turns warm up the compiler.
      if (turn >= 3) times.get(name)?.push((user + system) / callsPerTurn);
    }
  }
  return new Map([...times].map(([name, list]) => [name, list.sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN]));
}

/** Prints figures, and each as a ratio to one of them. */
export function print(title: string, unit: string, base: string, figures: Iterable<readonly [string, number]>): void {
  const rows = [...figures];
  const [, one = Number.NaN] = rows.find(([name]) => name === base) ?? [];
  console.log(`\n${title}: ${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}`);
  for (const [name, figure] of rows)
    console.log(`${name.padEnd(45)} ${figure.toFixed(1).padStart(9)} ${unit}  ${(figure / one).toFixed(2)} × ${base}`);
}
