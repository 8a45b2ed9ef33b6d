// Actors that take turns in an order that a seed decides: each waits before each step, and one at a time continues.

/** How often the priority of an actor changes after its turn. */
const changed = 0.25;

/** A process that was killed: what it would have done next never happens. */
export class Killed extends Error {}

/** Waits for the turn of an actor. Rejects with `Killed` where the actor is killed there. */
export type Turn = () => Promise<void>;

interface Waiting {
  readonly actor: number;
  readonly go: () => void;
  readonly kill: () => void;
}

/**
 * Runs actors until each has ended. In between exactly one runs: from its turn to its next one. Each has a priority that changes now and
 * then, so that one sleeps while others do much: faults that need that are found more often than by turns of equal chances.
 *
 * @param killEvery one turn in so many kills an actor instead
 */
export async function takeTurns(
  actors: readonly ((turn: Turn) => Promise<unknown>)[],
  random: () => number,
  killEvery: number,
): Promise<void> {
  const waiting: Waiting[] = [];
  let running = 0;
  let allWait: () => void = () => {};
  const rests = () => {
    running -= 1;
    if (running === 0) allWait();
  };
  const turnOf = (actor: number) => () =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ actor, go: resolve, kill: () => reject(new Killed('killed')) });
      rests();
    });
  const failures: unknown[] = [];
  let resting = new Promise<void>((resolve) => (allWait = resolve));
  running = actors.length;
  const priorities = actors.map(() => random());
  const ends = actors.map(async (actor, at) => {
    const turn = turnOf(at);
    try {
      await turn();
      await actor(turn);
    } catch (error) {
      if (!(error instanceof Killed)) failures.push(error);
    }
    rests();
  });
  await resting;
  while (waiting.length > 0) {
    const priorityOf = ({ actor }: Waiting) => priorities[actor] ?? 0;
    const next = waiting.reduce((first, other) => (priorityOf(other) > priorityOf(first) ? other : first));
    waiting.splice(waiting.indexOf(next), 1);
    if (random() < changed) priorities[next.actor] = random();
    resting = new Promise((resolve) => (allWait = resolve));
    running = 1;
    if (random() * killEvery < 1) next.kill();
    else next.go();
    await resting;
  }
  await Promise.all(ends);
  if (failures.length > 0) throw failures[0];
}
