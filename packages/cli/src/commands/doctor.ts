import { isVehicleDataError } from '@vehicle-data/client';
import { CliError } from '../cli-error.js';
import { configPath } from '../config/config-file.js';
import type { Context } from '../context.js';
import { contractVersion } from '../generated/commands.js';
import { startHint } from '../output/output.js';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do when it is not. */
  readonly fix?: string | undefined;
}

/** `vds doctor`: what works, what does not, and what to do, on one screen. */
export async function doctor(context: Context): Promise<void> {
  const checks = [nodeCheck(), configCheck(context), await secretCheck(context), await addressCheck(context)];
  if (checks.every(({ ok }) => ok)) checks.push(await listCheck(context));
  checks.push(await optionalCheck('vds query', '@duckdb/node-api', 'vds query'));
  checks.push(await optionalCheck('keyring', '@napi-rs/keyring', 'the OS keyring'));
  const shown = checks.map(({ fix, ...check }) => (check.ok || fix === undefined ? check : { ...check, fix }));
  context.output.record({ contractVersion, checks: shown }, () =>
    checks.flatMap(({ name, ok, found, fix }) => [
      `${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(12)}  ${found}`,
      ...(ok || fix === undefined ? [] : [`                    ${fix}`]),
    ]),
  );
  if (checks.some(({ ok }) => !ok)) throw new CliError('doctor', 'something does not work; see above');
}

function nodeCheck(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > 22 || (major === 22 && minor >= 12);
  return { name: 'Node', ok, found: process.versions.node, fix: 'Install Node 22.12 or later.' };
}

function configCheck({ profileName, brand, streams }: Context): Check {
  const found = `profile ${profileName}, brand ${brand ?? 'none'}, ${configPath(streams.env)}`;
  const fix = 'Set a brand: --brand, VDS_BRAND or vds auth login --brand …';
  return { name: 'settings', ok: brand !== undefined, found, fix };
}

async function secretCheck(context: Context): Promise<Check> {
  const name = 'credentials';
  try {
    const { kind, from } = (await context.credentials()) ?? {};
    return { name, ok: true, found: kind ? `${kind} from ${from}` : 'none; right for a proxy that needs none' };
  } catch (error) {
    const { message, hint } = error instanceof CliError ? error : { message: 'cannot be read', hint: undefined };
    return { name, ok: false, found: message, fix: hint };
  }
}

async function addressCheck({ baseUrl, signal }: Context): Promise<Check> {
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(5000)]);
  const response = await fetch(`${baseUrl}/`, { method: 'HEAD', redirect: 'manual', signal: timeout }).catch(
    () => null,
  );
  // Whatever the status is: a service need not have a page at its root. The list of vehicles says whether it works.
  const found = `${baseUrl} ${response ? 'can be reached' : 'does not respond'}`;
  return { name: 'address', ok: response !== null, found, fix: startHint(baseUrl) };
}

async function listCheck(context: Context): Promise<Check> {
  const name = 'consent';
  try {
    return { name, ok: true, found: `${(await context.vehicles()).length} vehicles share data` };
  } catch (error) {
    const found = isVehicleDataError(error) ? `${error.code}: ${error.resolution}` : 'failed';
    return { name, ok: false, found, fix: 'Check the credentials: vds auth status' };
  }
}

async function optionalCheck(name: string, module: string, use: string): Promise<Check> {
  const isThere = await import(module).catch(() => undefined);
  return { name, ok: true, found: `${module} is ${isThere ? 'installed' : `not installed; ${use} needs it`}` };
}
