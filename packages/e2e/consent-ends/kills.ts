// Which process is killed when: each one once, around one withdrawal.
import type { Part } from './parts.ts';
import type { Moment, Relay } from './relay.ts';

/**
 * What hits the proxy that withdraws.
 *
 * - `responded`: it has the response of the service, and is somewhere between fence, receipt, event and the success for its client
 * - `done`: the service has carried the withdrawal out, and the proxy never learns of it
 * - `any`: a kill at any time
 * - `sent`: its request never reaches the service
 * - `late`: its request takes effect after it was killed, and after its client knows that it failed
 */
export const strikes = ['responded', 'done', 'any', 'sent', 'late'] as const;
export type Strike = (typeof strikes)[number];

const moments: Readonly<Record<Exclude<Strike, 'any'>, Moment>> = {
  responded: 'responded',
  done: 'done',
  sent: 'sent',
  late: 'sent',
};

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Within so many milliseconds all others are killed. */
const spreadMs = 2500;
/** How long a killed process stays away, at most. */
const awayMs = 1000;

/**
 * Kills the proxy that withdraws as `strike` says, and each of the others at a random moment. Starts all of them again.
 *
 * @param random a number from 0 to 1
 * @returns when all of them run
 */
export async function killAll(
  strike: Strike,
  victim: { readonly part: Part; readonly relay: Relay },
  others: readonly Part[],
  random: () => number,
): Promise<void> {
  const away = () => random() * awayMs;
  const atRandom = async (part: Part) => {
    await pause(random() * spreadMs);
    await part.killAndStart(away());
  };
  const { part, relay } = victim;
  if (strike === 'any') {
    await Promise.all([part, ...others].map(atRandom));
    return;
  }
  // After a response, fence, receipt and event take a few milliseconds each, more on a busy machine.
  const [delayMs, awayFor, lateMs] = [strike === 'responded' ? random() ** 2 * 150 : 0, away(), random() * 500];
  const struck = new Promise<void>((resolve, reject) => {
    const kill = async () => {
      await pause(delayMs);
      await part.kill();
      void pause(awayFor).then(() => part.start().then(resolve, reject));
    };
    relay.onWithdrawal = async (moment) => {
      if (moment !== moments[strike]) return true;
      relay.onWithdrawal = async () => true;
      await kill();
      if (strike === 'late') await pause(lateMs);
      return strike !== 'sent';
    };
  });
  await Promise.all([struck, ...others.map(atRandom)]);
}
