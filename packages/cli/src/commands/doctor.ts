import { isVehicleDataError } from '@vehicle-data/client';
import { CliError, exitCodes } from '../cli-error.js';
import { configPath } from '../config/config-file.js';
import type { Context } from '../context.js';
import { contractVersion } from '../generated/commands.js';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do when it is not. */
  readonly fix?: string | undefined;
}

/** `vds doctor`: what works, what does not, and what to do, on one screen. */
export async function doctor(context: Context): Promise<void> {
  const checks = [await nodeCheck(), configCheck(context), await secretCheck(context), await addressCheck(context)];
  if (checks.every(({ ok }) => ok)) checks.push(await listCheck(context));
  for (const [name, use] of [
    ['@duckdb/node-api', 'vds query'],
    ['@napi-rs/keyring', 'the OS keyring'],
  ] as const)
    checks.push(await optionalCheck(name, use));
  context.output.record({ contractVersion, checks }, () =>
    checks.flatMap(({ name, ok, found, fix }) => [
      `${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(12)}  ${found}`,
      ...(ok || fix === undefined ? [] : [`                    ${fix}`]),
    ]),
  );
  if (checks.some(({ ok }) => !ok))
    throw new CliError('doctor', 'something does not work; see above', { exitCode: exitCodes.failed });
}

async function nodeCheck(): Promise<Check> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  return { name: 'Node', ok, found: process.versions.node, fix: 'Install Node 20.19 or later.' };
}

function configCheck(context: Context): Check {
  const { profileName, brand, streams } = context;
  const found = `profile ${profileName}, brand ${brand ?? 'none'}, ${configPath(streams.env)}`;
  const fix = 'Set a brand: --brand, VDS_BRAND or vds auth login --brand …';
  return { name: 'settings', ok: brand !== undefined, found, fix };
}

async function secretCheck(context: Context): Promise<Check> {
  try {
    const credentials = await context.credentials();
    const none = 'none; right for a proxy that needs none';
    return {
      name: 'credentials',
      ok: true,
      found: credentials ? `${credentials.kind} from ${credentials.from}` : none,
    };
  } catch (error) {
    const { message, hint } = error instanceof CliError ? error : { message: 'cannot be read', hint: undefined };
    return { name: 'credentials', ok: false, found: message, fix: hint };
  }
}

async function addressCheck({ baseUrl, signal }: Context): Promise<Check> {
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(5000)]);
  try {
    const response = await fetch(`${baseUrl}/`, { method: 'HEAD', redirect: 'manual', signal: timeout });
    return { name: 'address', ok: true, found: `${baseUrl} responds (HTTP ${response.status})` };
  } catch {
    const fix = 'Check --base-url, or start the sandbox: vds sandbox';
    return { name: 'address', ok: false, found: `${baseUrl} does not respond`, fix };
  }
}

async function listCheck(context: Context): Promise<Check> {
  try {
    const { vehicles } = await (await context.client()).listVehicles({ signal: context.signal });
    return { name: 'consent', ok: true, found: `${vehicles.length} vehicles share data` };
  } catch (error) {
    const found = isVehicleDataError(error) ? `${error.code}: ${error.resolution}` : 'failed';
    return { name: 'consent', ok: false, found, fix: 'Check the credentials: vds auth status' };
  }
}

async function optionalCheck(name: string, use: string): Promise<Check> {
  const isThere = await import(name).then(
    () => true,
    () => false,
  );
  const found = isThere ? `${name} is installed` : `${name} is not installed; ${use} needs it`;
  return { name: use.replace('the OS ', ''), ok: true, found };
}
