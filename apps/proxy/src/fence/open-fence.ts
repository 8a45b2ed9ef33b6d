import { hash } from 'node:crypto';
import type { Warnings } from '../observability/warnings.js';
import { BlockNames } from './block-names.js';
import { Fence, type Withdrawn } from './fence.js';
import type { Journal } from './journal.js';
import { SharedBlocks } from './shared-blocks.js';

const digest = (text: string) => hash('sha256', text, 'hex');

/** The names of vehicles under a secret; `undefined` where no store shows them to others. */
export function namesWith(secret: string | undefined): BlockNames {
  return new BlockNames(secret, digest);
}

/**
 * Opens the fence of a process, and reads what was blocked before.
 *
 * @param secret hides VINs in the store; `undefined` without one that replicas have in common
 * @param journal of the store; `null` when this process is alone
 * @param say tells the operator something
 * @param onWithdrawn called when the fence of a withdrawal stands
 */
export async function openFence(
  secret: string | undefined,
  journal: Journal | null,
  warnings: Warnings,
  say: (line: string) => void,
  onWithdrawn?: (withdrawn: Withdrawn) => Promise<void>,
): Promise<Fence> {
  const canShare = secret !== undefined;
  if (journal !== null && !canShare)
    say('VDS_VIN_HASH_KEY: is not set, so other processes are not told of withdrawals, and none outlives this process');
  const blocks = new SharedBlocks(canShare ? journal : null, warnings);
  const fence = new Fence({ names: namesWith(secret), blocks, warnings, ...(onWithdrawn && { onWithdrawn }) });
  await blocks.start();
  return fence;
}
