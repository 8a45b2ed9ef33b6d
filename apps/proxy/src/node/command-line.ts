import { writeSync } from 'node:fs';
import { attempt } from '../attempt.js';
import { serverOptionsFrom } from '../config/program-options.js';
import type { Settings } from '../config/settings.js';
import { printSettings } from '../config/show-settings.js';
import { auditUsage, runAuditCommand } from './audit-command.js';
import { check } from './check.js';
import { consentUsage, diagnoseConsents } from './consent-doctor.js';
import { keysUsage, runKeysCommand } from './keys-command.js';
import { runProcesses } from './processes.js';
import { type ReadFromFiles, readFromFiles } from './reload.js';
import { isReplica } from './replica.js';
import { serve } from './serve.js';
import { runStopCommand, stopFlags, stopUsage } from './stop-command.js';
import { problemOf, say, version } from './terminal.js';

const usage = `Usage: vds-proxy [FLAGS]         run the proxy
       vds-proxy check [FLAGS]   check the settings and everything that the proxy needs to reach
       vds-proxy check --drill [FLAGS]   in a scratch copy of the settings: stall the log, fill a disk, empty the store, kill a process
       vds-proxy keys create|list|rotate|revoke|usage   manage API keys
       vds-proxy audit verify|who|head|rotate|prune   check the audit log, show who read of a vehicle, keep it in order
       vds-proxy stop|resume --client NAME | --vehicle VIN | --vehicles-file FILE   stop a client or a vehicle, and back
       vds-proxy stop --list     show what is stopped
       vds-proxy consent doctor [FLAGS]   show each brand's token by its hash, and whether a restart is safe
       vds-proxy --version
       vds-proxy --print-config [FLAGS]   show the settings as they are understood, secrets masked
Every setting is a flag, a VDS_ environment variable and a key of the configuration file; the guide "Proxy settings" lists them.
`;

const commands = {
  keys: { usage: keysUsage, run: runKeysCommand },
  audit: { usage: auditUsage, run: runAuditCommand },
};

export async function runCommandLine(list: readonly string[]): Promise<void> {
  const [first, ...rest] = list;
  const result = (text: string) => {
    if (attempt(() => writeSync(1, text)) !== null) return;
    say('standard output cannot be written');
    process.exit(1);
  };
  const isDoctor = first === 'consent';
  const isStop = first === 'stop' || first === 'resume';
  const command = first === 'keys' || first === 'audit' ? commands[first] : null;
  if (list.includes('--help') || list.includes('-h'))
    return result(isDoctor ? consentUsage : isStop ? stopUsage : (command?.usage ?? usage));
  if (command !== null) {
    process.exitCode = await command.run(rest, process.env, { result, say });
    return;
  }
  if (isStop) {
    process.exitCode = await stopOrResume(first, rest, { result, say });
    return;
  }
  if (list.includes('--version')) return result(`${version()}\n`);
  if (isDoctor && rest[0] !== 'doctor') {
    process.exitCode = 1;
    return result(consentUsage);
  }
  const flags = (isDoctor ? rest.slice(1) : first === 'check' ? rest : list).filter(
    (argument) => argument !== '--print-config' && !(first === 'check' && argument === '--drill'),
  );
  const { reading, files } = readFromFiles(flags);
  if (!reading.ok) {
    for (const mistake of reading.mistakes) say(mistake);
    process.exitCode = 1;
  } else if (isDoctor) process.exitCode = (await diagnoseConsents(reading.settings, result)) ? 0 : 1;
  else if (list.includes('--print-config')) result(printSettings(reading.settings));
  else if (first === 'check' && rest.includes('--drill'))
    process.exitCode = (await (await import('./drill/drills.js')).runDrills(reading.settings, result)) ? 0 : 1;
  else if (first === 'check') process.exitCode = (await check(reading.settings, result)) ? 0 : 1;
  else await run(reading.settings, files, () => readFromFiles(flags));
}

/** Takes the flags of the command, and the settings of the proxy. Returns the exit code. */
async function stopOrResume(
  verb: 'stop' | 'resume',
  list: readonly string[],
  output: Parameters<typeof runStopCommand>[3],
): Promise<number> {
  try {
    const { own, settings } = stopFlags(list);
    const { reading } = readFromFiles(settings);
    if (reading.ok) return await runStopCommand(verb, own, reading.settings, output);
    for (const mistake of reading.mistakes) output.say(mistake);
  } catch (error) {
    const isOurs = error instanceof Error && error.message.startsWith('--');
    output.say(isOurs ? error.message : problemOf(error, 'the command failed'));
  }
  return 1;
}

async function run(settings: Settings, files: ReadFromFiles['files'], read: () => ReadFromFiles): Promise<void> {
  // Left alone, the first would end the process until reloads are possible, where a file that has changed is seen; the second opens the
  // inspector, which shows all tokens; the third ends the process.
  for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => {});
  const options = serverOptionsFrom(settings.values);
  const running = options.workers > 1 && !isReplica() ? runProcesses(options) : serve(settings, files, read);
  await running.catch((error: unknown) => {
    say(problemOf(error, 'the proxy cannot start'));
    process.exit(1);
  });
}
