// `vds-collector merge`: settled months of a lake in a bucket in one file each.
import { startLeases } from '../collect/leases.js';
import { mergeLake } from '../collect/merge.js';
import type { Given } from '../config/options.js';
import type { Settings } from '../config/settings.js';
import { openBucket } from '../lake/open-bucket.js';
import type { Database } from '../ledger/database.js';
import { UsageError } from '../usage-error.js';

/** @throws UsageError for a lake in a folder, whose lock `vds archive merge` takes. */
export async function runMerge(database: Database, given: Given, settings: Settings): Promise<string> {
  if (given.words.length > 1) throw new UsageError('merge takes options alone');
  if (settings.bucket === undefined)
    throw new UsageError('merge is for a lake in a bucket; for one in a folder, run vds archive merge');
  const { blobs, identity } = await openBucket(database, settings.bucket, settings);
  const leases = startLeases(database, settings.leaseMs);
  try {
    const outcome = await mergeLake({ database, blobs, settings: identity.settings, leases }, Date.now());
    if (given.flag('json')) return `${JSON.stringify(outcome, null, 2)}\n`;
    const { months, filesRemoved, busy } = outcome;
    const left = busy > 0 ? ` ${busy} vehicles were being collected: run it again for them.` : '';
    return `${months} months are in one file each; ${filesRemoved} files of windows are gone.${left}\n`;
  } finally {
    leases.stop();
  }
}
