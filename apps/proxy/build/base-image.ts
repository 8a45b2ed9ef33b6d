// Prints the image that the Dockerfile builds on, by its digest: `node apps/proxy/build/base-image.ts`. The Dockerfile names the digest once
// Renovate has pinned it. Until then the registry is asked for the one of today.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const dockerfile = readFileSync(new URL('../deploy/Dockerfile', import.meta.url), 'utf8');
const [, named = ''] = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile) ?? [];
const pinned = /^[a-z0-9./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;

function pin(image: string): string {
  const inspect = ['buildx', 'imagetools', 'inspect', image, '--format', '{{ json .Manifest }}'];
  const manifest: { readonly digest?: string } = JSON.parse(execFileSync('docker', inspect, { encoding: 'utf8' }));
  return `${image}@${manifest.digest}`;
}

const image = pinned.test(named) ? named : pin(named);
if (!pinned.test(image)) throw new Error(`${image} is not an image with a tag and a digest`);
console.log(image);
