import cluster from 'node:cluster';
import { readFileSync, writeSync } from 'node:fs';
import { auditUsage, runAuditCommand } from '../audit/audit-command.js';
import { readSettings, type Settings } from '../config/read-settings.js';
import { printSettings } from '../config/show-settings.js';
import { check } from './check.js';
import { keysUsage, runKeysCommand } from './keys-command.js';
import { runProcesses } from './processes.js';
import type { ReadFromFiles } from './reload.js';
import { serve } from './serve.js';
import { say, version } from './terminal.js';

const usage = `Usage: vds-proxy [FLAGS]         run the proxy
       vds-proxy check [FLAGS]   check the settings and everything that the proxy needs to reach
       vds-proxy keys create|list|rotate|revoke|usage   manage API keys
       vds-proxy audit verify    check the audit log
       vds-proxy --version
       vds-proxy --print-config [FLAGS]   show the settings as they are understood, secrets masked
Every setting is a flag, a VDS_ environment variable and a key of the configuration file; the README lists them.
`;

/** Runs the command that the arguments name. */
export async function runCommandLine(list: readonly string[]): Promise<void> {
  const [first] = list;
  const output = { result: (text: string) => void writeSync(1, text), say };
  const wantsHelp = list.includes('--help') || list.includes('-h');
  if (first === 'keys') {
    if (wantsHelp) output.result(keysUsage);
    else process.exitCode = await runKeysCommand(list.slice(1), process.env, output);
    return;
  }
  if (first === 'audit') {
    if (wantsHelp) output.result(auditUsage);
    else process.exitCode = await runAuditCommand(list.slice(1), process.env, output);
    return;
  }
  if (wantsHelp || list.includes('--version')) {
    output.result(wantsHelp ? usage : `${version()}\n`);
    return;
  }
  const command = first === 'check' ? first : 'serve';
  const flags = (command === 'serve' ? list : list.slice(1)).filter((argument) => argument !== '--print-config');
  const settings = settingsOf(flags);
  if (settings === null) process.exitCode = 1;
  else if (list.includes('--print-config')) writeSync(1, printSettings(settings));
  else if (command === 'check') process.exitCode = (await check(settings, (line) => writeSync(1, line))) ? 0 : 1;
  else await run(settings, () => readFromFiles(flags));
}

async function run(settings: Settings, read: () => ReadFromFiles): Promise<void> {
  const count = Number(settings.values.VDS_WORKERS);
  if (count > 1 && cluster.isPrimary) {
    runProcesses(count);
    return;
  }
  await serve(settings, read).catch((error: unknown) => {
    // Only our own messages: another error could quote a setting.
    say(error instanceof Error && error.message.startsWith('VDS_') ? error.message : 'the proxy cannot start');
    process.exit(1);
  });
}

function readFromFiles(flags: readonly string[]): ReadFromFiles {
  const files: string[] = [];
  const readFile = (path: string) => {
    files.push(path);
    return readFileSync(path, 'utf8');
  };
  return { reading: readSettings({ environment: process.env, arguments: flags, readFile }), files };
}

/** The settings, or `null` after saying every mistake in them. */
function settingsOf(flags: readonly string[]): Settings | null {
  const { reading } = readFromFiles(flags);
  if (reading.ok) return reading.settings;
  for (const mistake of reading.mistakes) say(mistake);
  return null;
}
