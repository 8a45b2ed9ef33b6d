import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { firstVin, startWorld } from './support/vds.ts';

const world = await startWorld();
await world.vds('alias set homestead', { input: firstVin });
const secret = 'demo-access-token';
const lacking = ['/usr/bin/gnome-keyring-daemon', '/usr/bin/dbus-run-session'].filter((path) => !existsSync(path));
if (lacking.length > 0)
  console.log(`The OS keyring is not tested: ${lacking.join(' and ')} missing (apt-get install gnome-keyring dbus).`);

/** Runs lines of a shell without a token in the environment, where only the keyring of this session can hold one. */
async function shell(lines: string, before: readonly string[] = []): Promise<string> {
  const script = join(world.folder, 'keyring.sh');
  await writeFile(script, lines);
  const { VDS_ACCESS_TOKEN: _, ...env } = world.env;
  const [command = '', ...parameters] = [...before, 'bash', script];
  const { stdout } = await promisify(execFile)(command, parameters, {
    env: { ...env, XDG_RUNTIME_DIR: world.folder, XDG_DATA_HOME: join(world.folder, 'data') },
  });
  return stdout;
}

it.runIf(lacking.length === 0)('login moves a secret to a real Secret Service alone, and off a lost one', async () => {
  const stdout = await shell(
    `printf pass | gnome-keyring-daemon --unlock --components=secrets > /dev/null
echo ${secret} | vds auth login --store file
echo ${secret} | vds auth login --store keyring
echo ${secret} | VDS_CONFIG_DIR=$HOME/other vds auth login --store file > /dev/null
grep -rl ${secret} "$VDS_CONFIG_DIR" | wc -l
vds auth status
vds vehicles list | head -n 1
vds auth logout
vds auth status
echo ${secret} | vds auth login --store keyring
bus=$DBUS_SESSION_BUS_ADDRESS
export DBUS_SESSION_BUS_ADDRESS=unix:path=/dev/null
vds vehicles list 2>&1
echo ${secret} | vds auth login 2>&1
vds auth logout 2>&1
echo ${secret} | vds auth login --store file 2> "$VDS_CONFIG_DIR/note"
grep -c 'may still hold' "$VDS_CONFIG_DIR/note"
vds vehicles list | head -n 1
vds auth logout
vds auth status
export DBUS_SESSION_BUS_ADDRESS=$bus
echo ${secret} | vds auth login --store keyring
DBUS_SESSION_BUS_ADDRESS=unix:path=/dev/null vds auth login --store file <<< ${secret} 2> /dev/null
vds auth logout
export VDS_CONFIG_DIR=$HOME/lost
mkdir -m 700 "$VDS_CONFIG_DIR"
echo '{"profiles":{"default":{"secret":{"store":"keyring","kind":"access-token"}}}}' > "$VDS_CONFIG_DIR/config.json"
vds vehicles list 2>&1 | head -n 1`,
    ['dbus-run-session', '--'],
  );
  const [, login, files, status, vehicle, , after, , ...gone] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(login.kept).toBe('the OS keyring');
  expect(status).toMatchObject({ credentials: 'access-token', from: 'the OS keyring' });
  expect(vehicle.vin).toBeDefined();
  expect(after.credentials).toBe('none');
  expect(files).toBe(0);
  const toFile = expect.stringContaining('vds auth login --store file');
  expect(gone).toMatchObject([
    { error: { code: 'secret-missing', hint: 'Run "vds auth login" again.' } },
    { error: { code: 'no-keyring', hint: toFile } },
    { error: { code: 'keyring-failed', hint: toFile } },
    { kept: expect.stringContaining('secret-default') },
    1,
    { vin: vehicle.vin },
    { profile: 'default', mayBeInKeyring: true },
    { credentials: 'none' },
    { kept: 'the OS keyring' },
    { kept: expect.stringContaining('secret-default') },
    { profile: 'default', mayBeInKeyring: false },
    { error: { code: 'secret-missing' } },
  ]);
});

it('without a keyring, login keeps the secret nowhere and says what to do', async () => {
  const printed = await shell(`echo ${secret} | vds auth login 2>&1; echo "exit $?"`);
  expect(printed).toContain('"code":"no-keyring"');
  expect(printed).toContain('vds auth login --store file');
  expect(printed).toContain('exit 4');
});

// Bash and zsh run their scripts below.
it('completion has a script for other shells, offers aliases and needs no network', async () => {
  const shells = 'for shell in fish powershell; do vds completion $shell | wc -c; done';
  const { stdout, code } = await world.session(
    `export VDS_BASE_URL=http://127.0.0.1:9; ${shells}; vds complete -- export --vehicle ''; vds complete -- week x --zone Europe/Berl; vds complete -- trips show x --signals odo; exec vds complete -- location ''`,
  );
  expect(code).toBe(0);
  const lines = stdout.trim().split('\n');
  for (const length of lines.slice(0, 2)) expect(Number(length)).toBeGreaterThan(500);
  const offered = lines.slice(2).join();
  expect(offered.match(/homestead/g)).toHaveLength(2);
  expect(offered).toContain('Europe/Berlin');
  expect(offered).toContain('odometer.value');
});

it.for([
  { name: 'bash', path: '/bin/bash', start: 'exec bash --norc --noprofile -i', setUp: 'source <(vds completion bash)' },
  {
    name: 'zsh',
    path: '/usr/bin/zsh',
    start: 'exec zsh -f -i',
    setUp: 'autoload -Uz compinit; compinit -u; source <(vds completion zsh)',
  },
] as const)('Tab completes command and alias on a terminal: $name', async ({ name, path, start, setUp }, { skip }) => {
  if (!existsSync(path)) {
    const reason = `Completion in ${name} is not tested: ${path} is missing (apt-get install ${name}).`;
    console.log(reason);
    skip(reason);
  }
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
