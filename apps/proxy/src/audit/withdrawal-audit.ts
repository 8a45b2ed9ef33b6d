import { vinHash } from '../auth/vehicle-rights.js';
import type { WithdrawalListener } from '../forward/forward-plan.js';
import type { Warnings } from '../observability/warnings.js';
import { AuditLog } from './audit-log.js';

/** Writes every withdrawal to an audit log, whatever the log level. */
export interface WithdrawalAudit {
  readonly onWithdrawal: WithdrawalListener;
  /** Resolves when all withdrawals are written. */
  close(): Promise<void>;
}

/**
 * Opens the audit log of withdrawals.
 *
 * @param key secret of the hashes of VINs and lines
 * @param warnings is told while entries cannot be written; withdrawals go on, because an owner's will does not wait for a disk
 */
export function openWithdrawalAudit(path: string, key: string, warnings: Warnings): WithdrawalAudit {
  const hash = vinHash(key);
  const log = new AuditLog(path, key, {
    onLost: () =>
      warnings.raise('audit-log', 'VDS_AUDIT_FILE: entries cannot be written and are lost; withdrawals go on'),
    onWritten: () => warnings.clear('audit-log'),
  });
  let hashing: Promise<void> = Promise.resolve();
  return {
    onWithdrawal({ client, address, brand, vehicle, requestId }, { status, code, attempts, upstreamRequestId }) {
      const time = new Date().toISOString();
      const known = { time, client, address, brand };
      const outcome = { status, code, sent: attempts > 0, requestId, upstreamRequestId };
      const hashed = vehicle === '' ? null : hash(vehicle);
      // One after the other, so that lines stand in the order of the withdrawals.
      hashing = hashing.then(async () => log.write({ ...known, vehicle: await hashed, ...outcome }));
    },
    async close() {
      await hashing;
      await log.close();
    },
  };
}
