import { cpSync, mkdtempSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deployFolder, docker, run } from './engine.ts';

/** Certificates of this machine: where no registry of images is reachable, packages may come through a proxy of its own. */
const certificates = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Makes stand-ins for the images that the deployment files name, out of Debian packages and the Node that runs this, for machines
 * that reach no registry of images. Needs root and debootstrap.
 */
export async function makeLocalImages(): Promise<void> {
  const [base = ''] = /(?<=^FROM )\S+/m.exec(readFileSync(join(deployFolder, 'Dockerfile'), 'utf8')) ?? [];
  const [redis = ''] = /(?<=image: )redis\S+/.exec(readFileSync(join(deployFolder, 'compose.yaml'), 'utf8')) ?? [];
  const root = mkdtempSync(join(tmpdir(), 'vds-base-'));
  // What the official image has beside Debian: Node with the libraries it needs, npm, and a user.
  await must('debootstrap', ['--variant=minbase', '--include=ca-certificates,libatomic1,libstdc++6', 'bookworm', root]);
  cpSync(process.execPath, join(root, 'usr/local/bin/node'));
  const npm = dirname(dirname(realpathSync(await must('which', ['npm']))));
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/local/bin', name));
  await must('chroot', [root, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node']);
  cpSync(certificates, join(root, certificates));
  const archive = `${root}.tar`;
  await must('tar', ['-C', root, '--exclude=./var/cache/apt', '--exclude=./var/lib/apt/lists', '-cf', archive, '.']);
  await docker(
    'import',
    '--change',
    'CMD ["node"]',
    '--change',
    `ENV NODE_EXTRA_CA_CERTS=${certificates}`,
    archive,
    base,
  );
  await must('rm', ['-rf', root, archive]);
  // The official image of Redis takes connections of other containers without a password, Debian's does not.
  const redisFile = `FROM ${base}
RUN apt-get update -q && apt-get install -y -q --no-install-recommends redis-server
RUN printf '#!/bin/sh\\nexec /usr/bin/redis-server "$@" --protected-mode no\\n' > /usr/local/bin/redis-server \\
 && chmod 755 /usr/local/bin/redis-server
WORKDIR /data
`;
  await must('docker', ['build', '-t', redis, '-'], redisFile);
}

async function must(program: string, list: readonly string[], input?: string): Promise<string> {
  const { ok, stdout, end } = await run(program, list, input);
  if (!ok) throw new Error(`${program}:\n${end}`);
  return stdout;
}
