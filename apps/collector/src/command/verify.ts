// `vds-collector verify`: whether ledger and lake agree.
import { resolve } from 'node:path';
import { folderStores } from '@vehicle-data/archive/store';
import { type Given, whole } from '../config/options.js';
import { type LedgerSettings, lakeOf } from '../config/settings.js';
import { s3Blobs } from '../lake/s3-blobs.js';
import type { Database } from '../ledger/database.js';
import { verifyLake } from '../operate/verify.js';
import { UsageError } from '../usage-error.js';
import type { Outcome } from './receipts.js';

const shown = 20;

/** @throws UsageError */
export async function runVerify(database: Database, given: Given, { bucket }: LedgerSettings): Promise<Outcome> {
  if (given.words.length > 1) throw new UsageError('verify takes options alone');
  const [size, repair] = [given.text('sample'), given.flag('repair')];
  const sample = size === undefined ? undefined : whole('--sample', size, 1, 1_000_000);
  const blobs = bucket === undefined ? folderStores(resolve(lakeOf(given))).blobs : s3Blobs(bucket);
  const report = await verifyLake(database, blobs, { sample, repair, isBucket: bucket !== undefined });
  const { vehicles, files, problems, repaired } = report;
  // Those of which nothing can be fetched are for a person to look at.
  const code = problems.length > repaired ? 1 : 0;
  if (given.flag('json')) return { text: `${JSON.stringify(report, null, 2)}\n`, code };
  const lines = [
    `${files} files of ${vehicles} vehicles were read, ${problems.length} problems.`,
    ...problems.slice(0, shown).map(({ code: what, path }) => `${what}  ${path}`),
    ...(problems.length > shown ? [`and ${problems.length - shown} more; --json lists them`] : []),
    ...(repaired > 0 ? [`${repaired} of them are fixed by a running collector, or the next one.`] : []),
    ...(repaired < problems.length && !repair ? ['--repair has what is missing or wrong fetched again.'] : []),
  ];
  return { text: lines.map((line) => `${line}\n`).join(''), code };
}
