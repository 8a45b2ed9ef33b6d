import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { operations } from '@vehicle-data/openapi';
import { onTestFinished } from 'vitest';
import { createSandbox, demoAccessToken, type Sandbox, type SandboxOptions } from '../src/index.js';

/** The brands of the contract, by position. */
export const brands = operations.listVehicles.parameters[0].rule.enum;

export interface CallInit {
  readonly method?: string;
  readonly brand?: string | null;
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses freely; their shape is what is under test.
  readonly json: any;
}

/** Calls a sandbox as the demo owner unless other headers say otherwise; null leaves a header out. */
export async function ask(
  { fetch, base = 'http://sandbox' }: Pick<Sandbox, 'fetch'> & { readonly base?: string },
  path: string,
  { method = 'GET', brand = brands[0], token = demoAccessToken, headers = {}, body }: CallInit = {},
): Promise<TestResponse> {
  const all = new Headers(headers);
  if (brand !== null) all.set('Brand', brand);
  if (token !== null && !all.has('Authorization')) all.set('Authorization', `Bearer ${token}`);
  const response = await fetch(base + path, { method, headers: all, body: body ?? null });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

/** Sends JSON to a control. */
export function control(
  sandbox: Pick<Sandbox, 'fetch'>,
  path: string,
  body?: unknown,
  method = 'POST',
): Promise<TestResponse> {
  const headers = { 'content-type': 'application/json' };
  return ask(sandbox, `/sandbox/${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** A sandbox that responds over HTTP on 127.0.0.1, for the length of one test. */
export async function serveSandbox(options: SandboxOptions = {}) {
  const sandbox = createSandbox(options);
  const server = await new Promise<Server>((resolve) => {
    const served = (request: Request) => sandbox.fetch(request);
    const starting = serve({ fetch: served, hostname: '127.0.0.1', port: 0 }, () => resolve(starting as Server));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { ...sandbox, base, call: (path: string, init?: CallInit) => ask({ fetch, base }, path, init) };
}
