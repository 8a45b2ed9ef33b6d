import { type ErrorCode, operations } from '@vehicle-data/openapi';
import type { Hono } from 'hono';
import { type Fault, type FaultEffect, type FaultScope, plainFaultKinds } from '../faults.js';
import { isObject, type JsonObject } from '../json-value.js';
import { errorEntry } from '../reply.js';
import { type Controlled, jsonBody, reject } from './control.js';

/** Listing, replacing, adding and clearing faults. */
export function faultControl(app: Hono, controlled: Controlled): void {
  const { faults } = controlled;
  app.get('/faults', (c) => c.json({ faults: faults.list() }));
  app.on(['POST', 'PUT'], '/faults', async (c) => {
    const body = await jsonBody(c);
    const read = (Array.isArray(body) ? body : [body]).map(readFault);
    const problem = read.find((fault) => typeof fault === 'string');
    if (typeof problem === 'string') return reject(c, controlled, 400, problem);
    if (c.req.method === 'PUT') faults.clear();
    faults.add(...read.filter((fault) => typeof fault !== 'string'));
    return c.json({ faults: faults.list() });
  });
  app.delete('/faults', (c) => {
    faults.clear();
    return c.json({ faults: [] });
  });
}

const scopeNames = ['vin', 'operationId', 'probability', 'seed', 'times'];

/** Reads a fault off JSON, or says what is wrong with it. */
function readFault(body: unknown): Fault | string {
  if (!isObject(body)) return 'a fault is an object with a kind';
  const effect = readEffect(body);
  if (typeof effect === 'string') return effect;
  const scope = readScope(body);
  if (typeof scope === 'string') return scope;
  const unknown = Object.keys(body).some((name) => !Object.hasOwn(effect, name) && !scopeNames.includes(name));
  return unknown ? 'the fault has a member that its kind does not know' : { ...effect, ...scope };
}

function readEffect({ kind, latencyMs, code, status, retryAfterSeconds }: JsonObject): FaultEffect | string {
  const plain = plainFaultKinds.find((known) => known === kind);
  if (plain) return { kind: plain };
  if (kind === 'latency') {
    return isWithin(latencyMs, 0, 600_000) ? { kind, latencyMs } : 'latencyMs must be a number from 0 to 600000';
  }
  if (kind !== 'error' && kind !== 'status')
    return `kind must be latency, error, status, ${plainFaultKinds.join(', ')}`;
  if (retryAfterSeconds !== undefined && !isWithin(retryAfterSeconds, 0, 86_400)) {
    return 'retryAfterSeconds must be a number from 0 to 86400';
  }
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  if (kind === 'error') {
    return isErrorCode(code) ? { kind, code, ...wait } : 'code must be one of the error catalog';
  }
  return isWithin(status, 200, 599) ? { kind, status, ...wait } : 'status must be a number from 200 to 599';
}

function readScope(body: JsonObject): FaultScope | string {
  const { vin, operationId, probability, seed, times } = body;
  if (vin !== undefined && typeof vin !== 'string') return 'vin must be a string';
  if (operationId !== undefined && (typeof operationId !== 'string' || !Object.hasOwn(operations, operationId))) {
    return `operationId must be one of ${Object.keys(operations).join(', ')}`;
  }
  if (probability !== undefined && !isWithin(probability, 0, 1)) return 'probability must be a number from 0 to 1';
  if (seed !== undefined && !isWithin(seed, 0, 4_294_967_295)) return 'seed must be a number from 0 to 4294967295';
  if (times !== undefined && !isWithin(times, 1, 1_000_000)) return 'times must be a number from 1 to 1000000';
  return {
    ...(vin !== undefined && { vin }),
    ...(operationId !== undefined && { operationId }),
    ...(probability !== undefined && { probability }),
    ...(seed !== undefined && { seed }),
    ...(times !== undefined && { times }),
  };
}

function isWithin(value: unknown, lowest: number, highest: number): value is number {
  return typeof value === 'number' && value >= lowest && value <= highest;
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && errorEntry(code) !== undefined;
}
