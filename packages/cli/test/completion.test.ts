import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { firstVin, useWorld } from './support/vds.ts';

const world = useWorld();
const shells = {
  bash: { path: '/bin/bash', start: 'exec bash --norc --noprofile -i', setUp: 'source <(vds completion bash)' },
  zsh: {
    path: '/usr/bin/zsh',
    start: 'exec zsh -f -i',
    setUp: 'autoload -Uz compinit; compinit -u; source <(vds completion zsh)',
  },
};

for (const [name, { path, start, setUp }] of Object.entries(shells)) {
  const isThere = existsSync(path);
  if (!isThere) console.log(`Completion is not tested in ${name}: ${path} is missing (apt-get install ${name}).`);
  it.runIf(isThere)(`Tab completes command and alias in ${name}, on a terminal`, { timeout: 60_000 }, async () => {
    await world.vds('alias set homestead', { input: firstVin });
    const prompt = 'READY>';
    const { stdout } = await world.session(`export PS1='${prompt}'; ${start}`, [
      [prompt, `${setUp}\r`],
      [prompt, 'vds loc\t'],
      ['ation', 'homes\t'],
      ['tead', '\r'],
      [prompt, 'exit\r'],
    ]);
    expect(stdout).toContain('location.latitude');
  });
}
