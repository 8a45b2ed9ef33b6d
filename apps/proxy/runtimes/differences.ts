import { readYaml } from '../test/support/scenarios.ts';
import type { RuntimeName } from './start-runtime.ts';

/** Scenarios or faults that a platform's own HTTP parser accepts and the program on Node rejects, or the other way round. */
interface Difference {
  readonly runtimes: readonly RuntimeName[];
  /** File of the story, or of the faults. */
  readonly file: string;
  readonly cases: readonly string[];
  readonly reason: string;
}

const differences = readYaml<readonly Difference[]>('../runtimes/differences.yaml');

/** Whether it is published that this case ends otherwise on this runtime. */
export function isPublished(runtime: RuntimeName, file: string, name: string): boolean {
  return differences.some((each) => each.runtimes.includes(runtime) && each.file === file && each.cases.includes(name));
}
