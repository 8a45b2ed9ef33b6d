import { readFileSync, writeSync } from 'node:fs';
import { printSettings } from '../settings/print-settings.js';
import { readSettings, type Settings } from '../settings/read-settings.js';
import { say } from './say.js';

const usage = `Usage: vds-proxy [FLAGS]         run the proxy
       vds-proxy check [FLAGS]   check the settings and everything that the proxy needs to reach
       vds-proxy keys create|list|revoke   manage API keys
       vds-proxy --print-config [FLAGS]   show the settings as they are understood, secrets masked
Every setting is a flag, a VDS_ environment variable and a key of the configuration file; the README lists them.
`;

/** Runs the command that the arguments name. Each command is read only when it is asked for. */
export async function runCommandLine(list: readonly string[]): Promise<void> {
  const [first] = list;
  if (list.includes('--help')) {
    writeSync(1, first === 'keys' ? (await import('./keys-command.js')).keysUsage : usage);
    return;
  }
  if (first === 'keys') {
    const output = { result: (text: string) => void writeSync(1, text), say };
    const { runKeysCommand } = await import('./keys-command.js');
    process.exitCode = await runKeysCommand(list.slice(1), process.env, output);
    return;
  }
  const command = first === 'check' ? first : 'serve';
  const flags = (command === 'serve' ? list : list.slice(1)).filter((argument) => argument !== '--print-config');
  const settings = settingsOf(flags);
  if (settings === null) process.exitCode = 1;
  else if (list.includes('--print-config')) writeSync(1, printSettings(settings));
  else if (command === 'check') {
    const { check } = await import('./check.js');
    process.exitCode = (await check(settings, (line) => writeSync(1, line))) ? 0 : 1;
  } else {
    await run(settings).catch((error: unknown) => {
      say(reasonOf(error));
      process.exit(1);
    });
  }
}

/** Runs the proxy: in this process, or in several that this one starts. */
async function run(settings: Settings): Promise<void> {
  if (settings.values.get('VDS_WORKERS') === '1') return (await import('./serve.js')).serve(settings);
  const { default: cluster } = await import('node:cluster');
  if (cluster.isPrimary) return (await import('./cluster/run-workers.js')).runWorkers(settings);
  const [{ serve }, { PrimaryLink }] = await Promise.all([import('./serve.js'), import('./cluster/primary-link.js')]);
  const primary = new PrimaryLink();
  // The first process says it, once for all workers.
  await serve(settings, primary).catch(async (error: unknown) => {
    await primary.cannotStart(reasonOf(error));
    process.exit(1);
  });
}

/** Only our own texts: another error could quote a setting. */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.message.startsWith('VDS_') ? error.message : 'the proxy cannot start';
}

/** The settings, or `null` after saying every mistake in them. */
function settingsOf(flags: readonly string[]): Settings | null {
  const readFile = (path: string) => readFileSync(path, 'utf8');
  const reading = readSettings({ environment: process.env, arguments: flags, readFile });
  if (reading.ok) return reading.settings;
  for (const mistake of reading.mistakes) say(mistake);
  return null;
}
