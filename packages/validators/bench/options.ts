// Options of the benchmarks.

/** What follows `--name` on the command line. */
export function option(name: string): string | undefined {
  const flag = process.argv.indexOf(`--${name}`);
  return flag < 0 ? undefined : process.argv[flag + 1];
}
