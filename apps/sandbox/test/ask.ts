import { demoAccessToken, type Sandbox } from '../src/index.js';
import { brands, type CallInit, type TestResponse } from './serve-sandbox.js';

/** Calls a sandbox in-process, as the demo owner unless other headers say otherwise; null leaves a header out. */
export async function ask(
  sandbox: Pick<Sandbox, 'fetch'>,
  path: string,
  { method = 'GET', brand = brands[0], token = demoAccessToken, headers = {}, body }: CallInit = {},
): Promise<TestResponse> {
  const response = await sandbox.fetch(
    new Request(`http://sandbox${path}`, {
      method,
      headers: {
        ...(brand !== null && { Brand: brand }),
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    }),
  );
  return { status: response.status, headers: response.headers, json: await response.json() };
}

/** Sends JSON to a control. */
export function control(
  sandbox: Pick<Sandbox, 'fetch'>,
  path: string,
  body?: unknown,
  method = 'POST',
): Promise<TestResponse> {
  return ask(sandbox, `/sandbox/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** A fresh access token of an owner, through a code and the JSON form of the token endpoint. */
export async function accessTokenOf(sandbox: Pick<Sandbox, 'fetch'>, owner: string): Promise<string> {
  const { json } = await control(sandbox, 'oauth/code', { owner });
  const { json: issued } = await control(sandbox, 'oauth/token', {
    clientId: 'demo-client',
    clientSecret: 'demo-secret',
    code: json.code,
  });
  return issued.data.accessToken;
}
