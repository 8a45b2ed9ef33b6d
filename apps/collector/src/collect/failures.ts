// What a failure says: of one window, of one account, of the whole upstream, or of this program.
import { ArchiveError } from '@vehicle-data/archive';
import { isVehicleDataError, type VehicleDataError } from '@vehicle-data/client';
import { S3Error } from '../lake/s3-client.js';
import { PurgeNotEmpty } from '../ledger/withdrawal.js';

/** Who a failure concerns. */
export type Failure =
  | {
      readonly of: 'window' | 'consent' | 'account' | 'upstream' | 'limit';
      readonly error: VehicleDataError;
      readonly code: string;
    }
  /** The store or the database: what runs beside this program. It is tried again. */
  | { readonly of: 'surroundings'; readonly code: string; readonly reason?: string | undefined };

/** `undefined` for what is a mistake of this program, or a lake that is not as it must be: it ends. */
export function failureOf(error: unknown): Failure | undefined {
  if (isVehicleDataError(error)) return { of: concernOf(error), error, code: error.code };
  if (error instanceof S3Error || error instanceof PurgeNotEmpty)
    return { of: 'surroundings', code: 'store', reason: error.message };
  if (isOfDatabase(error)) return { of: 'surroundings', code: 'database' };
  if (isOfDisk(error)) return { of: 'surroundings', code: 'store' };
  return undefined;
}

function concernOf(error: VehicleDataError) {
  const { resolution, isTemporary, retryAfterMs, status } = error;
  if (resolution === 'ask-consent') return 'consent';
  if (resolution === 'fix-credentials' || resolution === 'refresh-token') return 'account';
  if (status === 429 || retryAfterMs !== undefined) return 'limit';
  return isTemporary ? 'upstream' : 'window';
}

/** Codes of PostgreSQL that pass: connections, shutdown, resources, conflicts. https://www.postgresql.org/docs/15/errcodes-appendix.html */
const passing = /^(?:08|25006|40|53|55|57|58)/;
const network = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'EPROTO', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'],
]);
/** Errors of the client that have no code: of a connection that is over or silent, and of a server or a proxy before it that cannot take one. */
const withoutCode =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered|There was an error establishing an SSL connection)/;

function isOfDatabase(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (withoutCode.test(error.message)) return true;
  // A host with several addresses: one of each.
  if (error instanceof AggregateError) return error.errors.some(isOfDatabase);
  if (!('code' in error) || typeof error.code !== 'string') return false;
  // A database that is reached over a socket of this machine has no file there while it restarts: ENOENT.
  if ('syscall' in error && error.syscall === 'connect') return true;
  return network.has(error.code) || ('severity' in error && passing.test(error.code));
}

/** ENOENT: the vehicle was fenced off, or another process tidied up, between two steps of a put. */
const ofDisk = new Set([
  ...['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'EPERM', 'EBUSY', 'ESTALE', 'EMFILE', 'ENFILE', 'ENOENT'],
]);

function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && ofDisk.has(error.code);
}

/** What the operator reads of an error that ended a run. Errors of the database may quote values, so that only their code is told. */
export function reasonOf(error: unknown): string {
  if (error instanceof ArchiveError || error instanceof S3Error || isVehicleDataError(error)) return error.message;
  if (error instanceof Error && 'severity' in error)
    return `the database failed (${'code' in error ? String(error.code) : 'no code'}); see its log`;
  if (isOfDatabase(error)) return 'the database cannot be reached; check --database-url';
  return error instanceof Error ? error.message : 'the collector failed';
}
