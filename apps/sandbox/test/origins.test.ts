import { describe, expect, it } from 'vitest';
import { createSandbox } from '../src/index.js';

const sandbox = createSandbox();
const page = 'http://localhost:5173';

describe('web pages', () => {
  it('of any origin may call the service: preflights get a response, and responses can be read', async () => {
    const url = 'http://127.0.0.1:8788/v1/vehicles/consent';
    const preflight = await sandbox.fetch(url, {
      method: 'OPTIONS',
      headers: {
        Origin: page,
        'Access-Control-Request-Method': 'DELETE',
        'Access-Control-Request-Headers': 'authorization,brand',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE');
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('brand');
    const list = await sandbox.fetch(url, { headers: { Origin: page, Brand: 'brand_a' } });
    expect([list.status, list.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    const error = await sandbox.fetch(url, { headers: { Origin: page } });
    expect([error.status, error.headers.get('access-control-allow-origin')]).toEqual([400, '*']);
  });

  it.each([
    ['POST', '/sandbox/reset'],
    ['GET', '/sandbox/state'],
    ['OPTIONS', '/sandbox/faults'],
    ['POST', '/sandbox/oauth/token'],
  ])('of another origin cannot use the controls: %s %s', async (method, path) => {
    const response = await sandbox.fetch(`http://127.0.0.1:8788${path}`, { method, headers: { Origin: page } });
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('can send a person to the owner’s page', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    const response = await sandbox.fetch('http://127.0.0.1:8788/sandbox/owners/demo', { headers });
    expect(response.status).toBe(200);
  });
});
