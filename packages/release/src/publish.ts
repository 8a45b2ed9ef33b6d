import { run, runOrFail } from './run.ts';
import type { Tarball } from './tarball/pack.ts';

interface PublishOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Adds a statement, signed by the CI that runs this, of where the package was built. Default: none. */
  readonly provenance?: boolean;
}

/** Publishes packed packages as they are. A version that the registry has is left alone, so a release can be resumed. */
export async function publishTarballs(
  tarballs: readonly Tarball[],
  { provenance = false, ...options }: PublishOptions,
): Promise<readonly string[]> {
  const published: string[] = [];
  for (const { name, version, file } of tarballs) {
    const id = `${name}@${version}`;
    const { stdout } = await run('npm', ['view', id, 'version'], options);
    if (stdout.trim() === version) continue;
    const flags = ['--access', 'public', '--ignore-scripts', ...(provenance ? ['--provenance'] : [])];
    await runOrFail('npm', ['publish', file, ...flags], options);
    published.push(id);
  }
  return published;
}
