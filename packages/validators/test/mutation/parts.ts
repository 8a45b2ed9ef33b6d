/** Code that is mutated and the tests that must notice, all of them small and without random inputs. */
export interface Part {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

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
    tests: [
      'request',
      'response',
      'formats',
      'text-length',
      'standard-schema',
      'hostile-value',
      'issues',
      'generator/generator',
    ].map((name) => `test/${name}.test.ts`),
  },
  streaming: {
    mutate: ['src/stream.ts', 'src/stream/*.ts'],
    tests: ['test/stream/*.test.ts'],
  },
};
