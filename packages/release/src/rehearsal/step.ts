/** Runs a step of the rehearsal and says what it took. */
export async function step<Result>(name: string, action: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const say = (outcome: string) =>
    process.stdout.write(`${outcome} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)\n`);
  try {
    const result = await action();
    say('ok    ');
    return result;
  } catch (error) {
    say('FAILED');
    throw error;
  }
}
