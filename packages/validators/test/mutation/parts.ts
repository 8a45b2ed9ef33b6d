/** Code that is mutated and the tests that must notice, all of them small and without random inputs. */
export interface Part {
  readonly mutate: readonly string[];
  /** The cheap ones first: the tests of a mutant end with the first that fails. */
  readonly tests: readonly string[];
  /** Whether each file is mutated in a run of its own: code with hot loops is slow while it is made ready for mutants. */
  readonly apart?: true;
}

const testFiles = (...names: readonly string[]) => names.map((name) => `test/${name}.test.ts`);

/**
 * The hand-written code of this package. Not among it: the three scripts of the build that only read and write files, and the
 * kernel, which the build compiles to WebAssembly; its tests compare it with the code that does the same without it.
 */
export const parts: Readonly<Record<string, Part>> = {
  // Its tests run and compile what the mutated generator writes, not what the build has written.
  generator: {
    mutate: ['build/**/*.ts', '!build/generate.ts', '!build/bundle.ts', '!build/compile-kernel.ts'],
    tests: ['test/generator/*.test.ts'],
  },
  checks: {
    mutate: ['src/*.ts', 'src/formats/*.ts', '!src/index.ts', '!src/stream.ts'],
    tests: testFiles(
      'request',
      'response',
      'formats',
      'text-length',
      'value-checks',
      'standard-schema',
      'hostile-value',
      'issues',
      'generator/generator',
    ),
  },
  streaming: {
    mutate: ['src/stream.ts', 'src/stream/*.ts'],
    tests: testFiles(
      'stream/number-range',
      'stream/open-value',
      'stream/item-scan',
      'stream/document-checker',
      'stream/scans',
      'stream/reads',
      'stream/nesting',
      'stream/limits',
      'stream/kernel',
      'stream/documents',
    ),
    apart: true,
  },
};
