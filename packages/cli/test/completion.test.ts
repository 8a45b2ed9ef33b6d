import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { firstVin, startWorld } from './support/vds.ts';

const world = await startWorld();
await world.vds('alias set homestead', { input: firstVin });

it('completion has a script for each shell, offers aliases and needs no network', async () => {
  const shells = 'for shell in bash zsh fish powershell; do vds completion $shell | wc -c; done';
  const { stdout, code } = await world.session(
    `export VDS_BASE_URL=http://127.0.0.1:9; ${shells}; exec vds complete -- location ''`,
  );
  expect(code).toBe(0);
  const lines = stdout.trim().split('\n');
  for (const length of lines.slice(0, 4)) expect(Number(length)).toBeGreaterThan(500);
  expect(lines.slice(4).join()).toContain('homestead');
});

it.each([
  ['bash', '/bin/bash', 'exec bash --norc --noprofile -i', 'source <(vds completion bash)'],
  ['zsh', '/usr/bin/zsh', 'exec zsh -f -i', 'autoload -Uz compinit; compinit -u; source <(vds completion zsh)'],
])('Tab completes command and alias in %s, on a terminal', async (name, path, start, setUp) => {
  if (!existsSync(path)) return console.log(`not tested: ${path} is missing (apt-get install ${name})`);
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
