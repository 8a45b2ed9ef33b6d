// prove:peers: the same windows loaded by this collector, by a plain loop, and by dlt into Parquet files, one process each, from bodies that
// nginx serves. dlt comes from PyPI: python3 -m venv DIR && DIR/bin/pip install 'dlt[parquet,filesystem]', then PEERS_PYTHON=DIR/bin/python.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithChildren, numbersOf, printRow, runCollector, runProgram } from './processes.ts';
import { measure, type Row, startRecorded } from './recorded.ts';

endWithChildren();
const options = numbersOf({ vehicles: 100, rounds: 3 });
const python = process.env['PEERS_PYTHON'];
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const versionOf = 'import dlt, pyarrow; print(f"dlt {dlt.__version__}, pyarrow {pyarrow.__version__}")';
const found = python === undefined ? undefined : spawnSync(python, ['-c', versionOf], { encoding: 'utf8' });
if (python === undefined || found?.status !== 0) {
  console.log('skipped: PEERS_PYTHON must be a Python that has dlt[parquet,filesystem]');
  process.exit();
}

const folder = await mkdtemp(join(tmpdir(), 'vds-peers-'));
try {
  const service = await startRecorded(folder, options.vehicles);
  const windows = options.vehicles * 2;
  const rows: Row[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const place = async (name: string) => {
      const path = join(folder, `${name}-${round}`);
      await mkdir(path);
      return path;
    };
    const loop = await place('loop');
    rows.push(await measure('plain loop', windows, [runProgram([script('plain-loop.ts'), service.url, loop], {})]));
    const lake = await place('lake');
    await writeFile(join(lake, 'archive.key'), `${'5a'.repeat(32)}\n`, { mode: 0o600 });
    const env = {
      ...{ VDS_BASE_URL: service.url, VDS_BRAND: 'brand_a', VDS_LAKE: lake, VDS_MAX_RATE: '1000' },
      VDS_SINCE: new Date().toISOString().slice(0, 10),
    };
    rows.push(await measure('collector, embedded ledger', windows, [runCollector(['start', '--once'], env)]));
    for (const nesting of ['json', 'tables']) {
      const to = await place(`dlt-${nesting}`);
      const command = [script('peer-dlt.py'), service.url, to, nesting];
      const what = nesting === 'json' ? 'dlt, samples as JSON text' : 'dlt, samples as rows of tables';
      rows.push(
        await measure(what, windows, [
          runProgram(command, { HOME: folder, RUNTIME__DLTHUB_TELEMETRY: 'false' }, python),
        ]),
      );
    }
  }
  service.stop();
  const table = [...new Set(rows.map(({ what }) => what))].map((what) => {
    const own = rows.filter((row) => row.what === what);
    const median = (numbers: readonly number[]) =>
      [...numbers].sort((one, other) => one - other)[numbers.length >> 1] ?? 0;
    const cpuMs = median(own.map(({ cpuMsAWindow }) => cpuMsAWindow));
    return {
      what,
      cpuMsAWindow: cpuMs,
      windowsAProcessorSecond: Math.round(10_000 / cpuMs) / 10,
      memoryMb: median(own.map(({ memoryMb }) => memoryMb)),
    };
  });
  const inWords = table.map(({ what, cpuMsAWindow }) => `${what} ${cpuMsAWindow} ms`).join('; ');
  console.log(JSON.stringify({ ...options, cpu: cpus()[0]?.model, versions: found.stdout.trim(), table }, null, 2));
  printRow('peers', options, inWords);
} finally {
  await rm(folder, { recursive: true });
}
