import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import {
  type CurrentStatus,
  type DrivingTrip,
  type LocationRecord,
  type OperationId,
  operations,
  type PowertrainTrip,
} from '@vehicle-data/openapi';
import { validateResponse } from '@vehicle-data/validators';
import { onTestFinished } from 'vitest';
import { createFleet } from '../src/fleet/vehicles.js';
import { createSandbox, demoAccessToken, type Sandbox, type SandboxOptions } from '../src/index.js';

/** The brands of the contract, by position. */
export const brands = operations.listVehicles.parameters[0].rule.enum;

/** What the tests read of a body. `violations` says whether it has the shape of the contract. */
interface Body extends Readonly<Record<'now' | 'code' | 'access_token' | 'refresh_token', string>> {
  readonly data: LocationRecord &
    CurrentStatus &
    Readonly<Record<'accessToken' | 'refreshToken', string>> & {
      readonly vehicles: readonly { readonly vin: string }[];
      readonly trips: readonly (DrivingTrip & PowertrainTrip)[];
    };
  readonly meta: Readonly<Record<'success' | 'timestamp' | 'requestId', unknown>>;
  readonly error?: { readonly code: string; readonly details: readonly { readonly reason: string }[] };
  readonly vehicles: readonly NonNullable<ReturnType<Sandbox['vehicle']>>[];
  readonly reservedVins: readonly { readonly vin: string; readonly code: string }[];
  readonly dirtyVins: readonly { readonly vin: string; readonly kind: string }[];
  readonly consents: Readonly<Record<string, string>>;
  readonly tokens: number;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Body;
}

/** A sandbox in-process, or at an address. */
type Target = Pick<Sandbox, 'fetch'> & { readonly base?: string };

/** The vehicle of the demo owner that most calls name, and its location. */
export const vin = 'SANDB0XA000000001';
export const locations = `/v1/vehicles/${vin}/locations`;

/** Calls a sandbox as the demo owner unless other headers say otherwise; null leaves a header out. */
export async function send(
  { fetch, base = 'http://sandbox' }: Target,
  path: string,
  init: Omit<RequestInit, 'headers'> & {
    readonly brand?: string | null;
    readonly token?: string | null;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<TestResponse> {
  const { brand = brands[0], token = demoAccessToken, headers = {}, ...rest } = init;
  const all = new Headers(headers);
  if (brand !== null) all.set('Brand', brand);
  if (token !== null && !all.has('Authorization')) all.set('Authorization', `Bearer ${token}`);
  const response = await fetch(base + path, { ...rest, headers: all });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

/** What is wrong with a response of an operation; nothing if it is as the contract says. */
export function violations(id: OperationId, { status, json }: TestResponse): readonly string[] {
  const result = validateResponse(id, status, json);
  return result.ok ? [] : result.issues.map(({ message }) => message);
}

/** The code of an error response, or the status of a success. */
export async function outcome(response: Promise<TestResponse>): Promise<string | number> {
  const { status, json } = await response;
  return json.error?.code ?? status;
}

/** Sends JSON to a control. */
export function control(sandbox: Target, path: string, body?: unknown, method = 'POST') {
  const headers = { 'content-type': 'application/json' };
  return send(sandbox, `/sandbox/${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
}

/** The vehicles that every sandbox has. */
export const fleetVehicles = [...createFleet(1, brands)];

/** A sandbox at a fixed moment, every vehicle of which shares its data. */
export async function wholeFleet(now: string, options: SandboxOptions = {}) {
  const sandbox = createSandbox({ ...options, now: new Date(now), frozen: true });
  for (const { vin } of fleetVehicles) await sandbox.consents.set(vin, 'shared');
  return {
    vins: fleetVehicles.map(({ vin }) => vin),
    /** Gets data of a vehicle with the token of its owner and the header of its brand. */
    get(vin: string, path: string) {
      const { owner = '', brand = '' } = sandbox.vehicle(vin) ?? {};
      return send(sandbox, `/v1/vehicles/${vin}/${path}`, { brand, token: sandbox.accessTokenOf(owner) });
    },
  };
}

/** A sandbox in-process that responds over HTTP as the command does, for the length of one test. */
export async function listening(options: SandboxOptions = {}) {
  const sandbox = createSandbox(options);
  const server = serve({ fetch: (request) => sandbox.fetch(request), hostname: '127.0.0.1', port: 0 });
  if (!server.listening) await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
  return { fetch, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const program = fileURLToPath(new URL('../dist/node.js', import.meta.url));

/** The command as a process of its own. */
export function startCommand(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [program, ...args], { env: { PATH, ...environment } });
  onTestFinished(() => void child.kill('SIGKILL'));
  /** Everything it has written to standard output and standard error. */
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (text) => {
      output[name] += text;
    });
  }
  /** How it ended: its exit code, or null if a signal killed it. */
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { process: child, output, ended };
}

/** A sandbox that responds over HTTP, as a process of its own. */
export async function served(args: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) {
  const command = startCommand(args, { VDS_SANDBOX_PORT: '0', ...environment });
  await Promise.race([once(command.process.stdout, 'data'), command.ended]);
  const [, base] = /^sandbox listening on (\S+)\n/.exec(command.output.stdout) ?? [];
  if (base === undefined) throw new Error(`the command ended: ${command.output.stderr}`);
  return { fetch, command, base };
}

/** A folder for the length of one test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vds-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
