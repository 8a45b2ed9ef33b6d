import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { operations } from '@vehicle-data/openapi';
import { onTestFinished } from 'vitest';
import { createSandbox, demoAccessToken, type Sandbox, type SandboxOptions } from '../src/index.js';

/** The brands of the contract, by position. */
export const brands = operations.listVehicles.parameters[0].rule.enum;

/** A sandbox that responds over HTTP on 127.0.0.1, for the length of one test. */
export interface ServedSandbox extends Sandbox {
  readonly base: string;
  /** Calls the service as the demo owner unless other headers say otherwise; null leaves a header out. */
  readonly call: (path: string, init?: CallInit) => Promise<TestResponse>;
}

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

export async function serveSandbox(options: SandboxOptions = {}): Promise<ServedSandbox> {
  const sandbox = createSandbox(options);
  const server = await new Promise<Server>((resolve) => {
    const fetch = (request: Request) => sandbox.fetch(request);
    const starting = serve({ fetch, hostname: '127.0.0.1', port: 0 }, () => resolve(starting as Server));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...sandbox,
    base,
    async call(path, { method = 'GET', brand = brands[0], token = demoAccessToken, headers = {}, body } = {}) {
      const response = await fetch(base + path, {
        method,
        headers: {
          ...(brand !== null && { Brand: brand }),
          ...(token !== null && { Authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      });
      return { status: response.status, headers: response.headers, json: await response.json() };
    },
  };
}
