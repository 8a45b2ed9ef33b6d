/** Runs the steps of a rehearsal and says what each took. */
export class Steps {
  readonly #say: (line: string) => void;
  readonly #start = performance.now();

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  async run<Result>(name: string, action: () => Promise<Result>): Promise<Result> {
    const start = performance.now();
    try {
      const result = await action();
      this.#say(`ok     ${name} (${seconds(start)} s)`);
      return result;
    } catch (error) {
      this.#say(`FAILED ${name} (${seconds(start)} s)`);
      throw error;
    }
  }

  /** Waits for all of them, also when one fails, so that nothing continues in a folder that is being deleted. */
  async together<Results extends readonly unknown[]>(
    all: {
      readonly [Index in keyof Results]: Promise<Results[Index]>;
    },
  ): Promise<Results> {
    await Promise.allSettled(all);
    return (await Promise.all(all)) as unknown as Results;
  }

  leftOut(name: string, reason: string): void {
    this.#say(`left   ${name}: ${reason}`);
  }

  total(): string {
    return seconds(this.#start);
  }
}

function seconds(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1);
}
