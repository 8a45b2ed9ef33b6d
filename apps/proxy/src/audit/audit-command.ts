import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { argumentsOf, type CommandOutput, vinHashKeyIn } from '../node/keys-command.js';
import { chainStart, checkLine } from './audit-log.js';

export const auditUsage = `Usage: vds-proxy audit verify --audit-file FILE
Checks that no line of the audit log was changed, inserted or removed. VDS_AUDIT_FILE names the file, too; VDS_VIN_HASH_KEY, or
VDS_VIN_HASH_KEY_FILE, must be set as for the proxy. Lines missing at the end show by the number of the last one alone.
`;

/** Runs `audit verify`. Returns the exit code: 0 when the whole chain is good. */
export async function runAuditCommand(
  list: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  output: CommandOutput,
): Promise<number> {
  try {
    const { values, positionals } = argumentsOf('audit', list, ['audit-file']);
    if (positionals.join(' ') !== 'verify') {
      output.result(auditUsage);
      return 1;
    }
    const path = String(values['audit-file'] ?? environment['VDS_AUDIT_FILE'] ?? '');
    if (path === '') throw new Error('--audit-file: must be set, or VDS_AUDIT_FILE');
    const key = vinHashKeyIn(environment);
    if (key === undefined || key === '') throw new Error('VDS_VIN_HASH_KEY: must be set, as for the proxy');
    let link = chainStart;
    for await (const line of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity })) {
      const checked = checkLine(line, link, key);
      if (typeof checked === 'string') throw new Error(`line ${link.number + 1} ${checked}`);
      link = checked;
    }
    output.result(`${link.number} entries, all in their place; the last has hash ${link.hash}\n`);
    return 0;
  } catch (error) {
    output.say(error instanceof Error && !('code' in error) ? error.message : 'the audit log cannot be read');
    return 1;
  }
}
