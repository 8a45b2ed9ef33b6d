import { cpus } from 'node:os';

/**
 * Runs contenders in turns, so that what else the machine does falls on all alike; gives medians in microseconds of the
 * thread's processor time, which other processes hardly change.
 */
export async function interleaved(
  contenders: Readonly<Record<string, () => unknown>>,
  turns: number,
  callsPerTurn: number,
): Promise<ReadonlyMap<string, number>> {
  const times = new Map(Object.keys(contenders).map((name) => [name, [] as number[]]));
  for (let turn = 0; turn < turns + 3; turn += 1) {
    for (const [name, run] of Object.entries(contenders)) {
      const start = process.threadCpuUsage();
      for (let call = 0; call < callsPerTurn; call += 1) await run();
      const { user, system } = process.threadCpuUsage(start);
      // The first turns warm up the compiler.
      if (turn >= 3) times.get(name)?.push((user + system) / callsPerTurn);
    }
  }
  return new Map([...times].map(([name, list]) => [name, list.sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN]));
}

export function printMachine(command: string): void {
  console.log(
    `${command}\n${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}, medians of processor time\n`,
  );
}
