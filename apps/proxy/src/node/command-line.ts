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
    const { serve } = await import('./serve.js');
    await serve(settings).catch((error: unknown) => {
      // Only our own texts: another error could quote a setting.
      say(error instanceof Error && error.message.startsWith('VDS_') ? error.message : 'the proxy cannot start');
      process.exit(1);
    });
  }
}

/** The settings, or `null` after saying every mistake in them. */
function settingsOf(flags: readonly string[]): Settings | null {
  const readFile = (path: string) => readFileSync(path, 'utf8');
  const reading = readSettings({ environment: process.env, arguments: flags, readFile });
  if (reading.ok) return reading.settings;
  for (const mistake of reading.mistakes) say(mistake);
  return null;
}
