import { AuditLog } from '../audit/audit-log.js';
import { checkAuditFile } from '../audit/chain.js';
import { ReadLog } from '../audit/read-log.js';
import { SegmentKeeper } from '../audit/segment-keeper.js';
import { readSigner, type Signer } from '../audit/signing-key.js';
import type { SettingValues } from '../config/settings.js';
import type { Warnings } from '../observability/warnings.js';
import type { PipelineParts } from '../pipeline-parts.js';
import { say } from './terminal.js';

/** What counts entries of the audit log. */
export interface AuditCounters {
  readonly auditEntries: { inc(labels: { readonly kind: string }, count: number): void };
  readonly lostAuditEntries: { inc(): void };
  readonly lostAuditReads: { inc(count: number): void };
}

/** The audit log of a process, with everything that the settings ask of it. */
export interface OpenedAudit {
  readonly parts: Pick<PipelineParts, 'audit' | 'reads'>;
  /** Entries that are not on the disk yet: those of withdrawals, and reads. */
  waiting(): { readonly withdrawals: number; readonly reads: number };
  close(): Promise<void>;
}

/** Bytes in the unit of `VDS_AUDIT_SEGMENT_MB`. */
const megabyte = 1_048_576;
const defaultSegmentMb = 16;

/** @throws {Error} when the audit log that the settings ask for cannot be written, or a key not be read; the text names the setting */
export async function checkAudit(values: SettingValues): Promise<void> {
  if (values.VDS_AUDIT_FILE !== undefined) await checkAuditFile(values.VDS_AUDIT_FILE);
  signerOf(values);
}

function signerOf({ VDS_AUDIT_SIGNING_KEY_FILE: path }: SettingValues): Signer | null {
  return path === undefined ? null : readSigner(path, 'VDS_AUDIT_SIGNING_KEY_FILE');
}

/** Opens the audit log that the settings ask for. Returns `null` when they ask for none. */
export async function openAudit(
  values: SettingValues,
  warnings: Warnings,
  counters: AuditCounters | null,
): Promise<OpenedAudit | null> {
  const { VDS_AUDIT_FILE: path, VDS_VIN_HASH_KEY: key = '', VDS_AUDIT_SEGMENT_MB: segmentMb } = values;
  if (path === undefined) return null;
  const log = await AuditLog.open(path, {
    key,
    warnings,
    say,
    isRequired: values.VDS_AUDIT_REQUIRED,
    onWritten: (kind) => counters?.auditEntries.inc({ kind }, 1),
    onLost: () => counters?.lostAuditEntries.inc(),
  });
  const reads = values.VDS_AUDIT_READS
    ? new ReadLog(path, {
        key,
        warnings,
        mustWait: () => log.isFailing,
        onWritten: (count, gaps) => {
          counters?.auditEntries.inc({ kind: 'read' }, count);
          counters?.auditEntries.inc({ kind: 'gap' }, gaps);
        },
        onLost: (count) => counters?.lostAuditReads.inc(count),
      })
    : null;
  const closes = values.VDS_AUDIT_READS || segmentMb !== undefined;
  const keeper = closes
    ? new SegmentKeeper(path, {
        key,
        signer: signerOf(values),
        maxBytes: (segmentMb ?? defaultSegmentMb) * megabyte,
        keepDays: values.VDS_AUDIT_KEEP_DAYS ?? null,
        warnings,
      })
    : null;
  return {
    parts: { audit: log, ...(reads === null ? {} : { reads }) },
    waiting: () => ({ withdrawals: log.waiting, reads: reads?.waiting ?? 0 }),
    async close() {
      await keeper?.close();
      // Withdrawals first: the end of the program has a bound.
      await log.close();
      const lost = (await reads?.close()) ?? 0;
      if (lost > 0) say(`${lost} reads of the audit log are lost, because it cannot be written`);
    },
  };
}
