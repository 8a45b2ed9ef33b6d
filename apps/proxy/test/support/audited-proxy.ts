import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { appendToChain } from '../../src/audit/chain.js';
import { runAuditCommand } from '../../src/node/audit-command.js';
import { startProgram } from './program.ts';
import { withdrawal } from './set-up.ts';

/** Secret of the hashes in the audit logs of the tests. */
export const auditKey = 'k'.repeat(32);

/** Runs a command of the audit log in this process; `access-log.test.ts` runs one as a program. */
export async function auditCommand(action: string, file: string, secret = auditKey, flags: readonly string[] = []) {
  let text = '';
  const add = (more: string) => {
    text += more;
  };
  const environment = { VDS_AUDIT_FILE: file, VDS_VIN_HASH_KEY: secret };
  const code = await runAuditCommand([action, ...flags], environment, { result: add, say: add });
  return { code, text };
}

export const verifyAudit = (file: string, secret = auditKey) => auditCommand('verify', file, secret);

/** The entries of an audit log. */
export async function auditEntries(file: string): Promise<Record<string, unknown>[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Starts the program with an audit log. */
export async function startAudited(auditFile: string, upstreamUrl: string, more: Record<string, string> = {}) {
  const program = await startProgram({
    VDS_UPSTREAM_URL: upstreamUrl,
    VDS_AUDIT_FILE: auditFile,
    VDS_VIN_HASH_KEY: auditKey,
    ...more,
  });
  return {
    ...program,
    /** Asks for one withdrawal; gives the status and the text of the response. */
    async withdraw() {
      const response = await program.call(withdrawal, {}, 'DELETE');
      return { status: response.status, text: response.text };
    },
  };
}

/** Whether the machine can limit the files of a process that runs. */
export const canLimitFiles = (() => {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** What fills an audit log beyond the room that each process takes beside it, so that a limit of its size stops the log alone. */
export async function fillAuditLog(file: string): Promise<void> {
  const filler = { kind: 'summary', rejected: [], padding: 'x'.repeat(1000) };
  await appendToChain(file, auditKey, Array(300).fill(filler));
}

/** As if the disk were full, or had room again: no file of the process may grow beyond a size. */
export function limitFiles(pid: number | undefined, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
}
