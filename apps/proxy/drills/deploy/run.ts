// Holds the Kubernetes manifest against the schemas of Kubernetes, and tries the Dockerfile and the compose file with a container engine.
// With --local-images it makes the images that they are built on itself first. Not part of the tests: it needs the registry of npm and
// Docker, and takes some minutes.

import { composition } from './composition.ts';
import { container } from './container.ts';
import { findCompose, hasEngine } from './engine.ts';
import { makeLocalImages } from './local-images.ts';
import { manifest } from './manifest.ts';

function stop(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

const holds = (sentence: string) => process.stdout.write(`holds: ${sentence}\n`);
try {
  await manifest(holds);
  if (!(await hasEngine())) stop('no image was tried: no container engine answers "docker version"');
  const compose = await findCompose();
  if (compose === null) stop('no image was tried: neither "docker compose" nor "docker-compose" is installed');
  if (process.argv.includes('--local-images')) await makeLocalImages();
  await container(holds);
  await composition(compose, holds);
} catch (error) {
  stop(`does not hold: ${error instanceof Error ? error.message : 'failed'}`);
}
