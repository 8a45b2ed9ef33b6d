import { AuditLog } from '../audit/audit-log.js';
import { checkAuditFile } from '../audit/chain.js';
import { ReadLog } from '../audit/read-log.js';
import { SegmentKeeper } from '../audit/segment-keeper.js';
import { readSigner, type Signer } from '../audit/signing-key.js';
import type { AuditOptions } from '../config/program-options.js';
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
export async function checkAudit(options: AuditOptions | null): Promise<void> {
  if (options === null) return;
  await checkAuditFile(options.file);
  signerOf(options);
}

function signerOf({ signingKeyFile: path }: AuditOptions): Signer | null {
  return path === undefined ? null : readSigner(path, 'VDS_AUDIT_SIGNING_KEY_FILE');
}

/** Opens an audit log; `null` for none. */
export async function openAudit(
  options: AuditOptions | null,
  warnings: Warnings,
  counters: AuditCounters | null,
): Promise<OpenedAudit | null> {
  if (options === null) return null;
  const { file: path, hashKey: key, segmentMb } = options;
  const log = await AuditLog.open(path, {
    key,
    warnings,
    say,
    isRequired: options.isRequired,
    onWritten: (kind) => counters?.auditEntries.inc({ kind }, 1),
    onLost: () => counters?.lostAuditEntries.inc(),
  });
  const reads = options.reads
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
  const closes = options.reads || segmentMb !== undefined;
  const keeper = closes
    ? new SegmentKeeper(path, {
        key,
        signer: signerOf(options),
        maxBytes: (segmentMb ?? defaultSegmentMb) * megabyte,
        keepDays: options.keepDays ?? null,
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
