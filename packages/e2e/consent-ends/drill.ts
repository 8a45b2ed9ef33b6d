// The end of one consent in a world, while each of its processes is killed once.
import { boundOf } from '../../../scripts/patience.ts';
import { randomFrom } from '../../../scripts/seeded-random.ts';
import { killAll, pause, type Strike, strikes } from './kills.ts';
import { countReceipts, placesWith, whatIsLeft, whatIsMissing } from './traces.ts';
import { insist, type Known, type World } from './world.ts';

/** What a run found. */
export interface RunReport {
  readonly seed: number;
  readonly strike: Strike;
  /** From the moment at which the withdrawal was known to hold until nothing was left, in milliseconds. */
  readonly ms: number;
  /** What was left at the bound; empty for a good one. */
  readonly left: readonly string[];
  /** What is missing of vehicles that share. */
  readonly missing: readonly string[];
  /** Processes that were killed. */
  readonly kills: number;
  /** Whether the owner had the success of the withdrawal; else the list alone said so. */
  readonly isConfirmed: boolean;
  /** Receipts that were issued in this run and verify. */
  readonly receipts: Readonly<Record<'proxy' | 'collector' | 'archive', number>>;
  /** Places with the VIN. */
  readonly vinIn: readonly string[];
  readonly vehicle: Known;
}

const limitMs = boundOf(60_000);

/** Ends the consent of the next vehicle of a world. */
export async function endConsent(world: World, seed: number): Promise<RunReport> {
  const random = randomFrom(seed);
  const strike = strikes[seed % strikes.length] ?? 'any';
  const vehicle = world.shared.shift();
  const order = random() < 0.5 ? world.proxies : world.proxies.toReversed();
  const [first, second] = order;
  if (vehicle === undefined || first === undefined || second === undefined) throw new Error('the world is empty');
  const { vin } = vehicle;
  const before = await countReceipts(world);
  const killsBefore = world.parts.map(({ kills }) => kills);
  const killing = killAll(strike, first, [second.part, ...world.collectors, world.application], random);
  await pause(random() * 1000);
  const isShared = async (): Promise<boolean> => {
    const { vehicles } = await insist(() => second.client.listVehicles());
    return vehicles.some((each) => each.vin === vin);
  };
  let isConfirmed = false;
  for (let attempt = 0; !isConfirmed && (attempt === 0 || (await isShared())); attempt++)
    isConfirmed = await (attempt % 2 === 0 ? first : second).client.stopSharing({ vin }).then(
      () => true,
      () => false,
    );
  const startedMs = performance.now();
  const elapsed = () => performance.now() - startedMs;
  let left = await whatIsLeft(world, vehicle);
  while (left.length > 0 && elapsed() < limitMs) {
    await pause(200);
    left = await whatIsLeft(world, vehicle);
  }
  const ms = Math.round(elapsed());
  await killing;
  // A purge that a kill has cut short issues its receipt when its program runs again.
  let after = await countReceipts(world);
  const isProved = () => after.collector > before.collector && after.archive > before.archive;
  while (!isProved() && elapsed() < limitMs) {
    await pause(200);
    after = await countReceipts(world);
  }
  return {
    ...{ seed, strike, ms, left, isConfirmed, vehicle },
    missing: await whatIsMissing(world),
    kills: world.parts.filter(({ kills }, index) => kills > (killsBefore[index] ?? 0)).length,
    receipts: {
      proxy: after.proxy - before.proxy,
      collector: after.collector - before.collector,
      archive: after.archive - before.archive,
    },
    vinIn: await placesWith(world, [vin]),
  };
}
