// The signature of Standard Webhooks, over Web Crypto, so that it runs on every runtime.
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme

const algorithm = { name: 'HMAC', hash: 'SHA-256' } as const;
const encoder = new TextEncoder();
const secretForm = /^(?:whsec_)?([A-Za-z0-9+/]{32,88}={0,2})$/;

/** What a signature is over: identifier, timestamp and body, as they were sent. */
export interface Signed {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: string;
  readonly body: Uint8Array;
}

/** @throws {TypeError} when it is no secret of Standard Webhooks; the text does not repeat it */
export function keyOf(secret: string): Promise<CryptoKey> {
  const [, encoded] = secretForm.exec(secret) ?? [];
  if (encoded === undefined)
    throw new TypeError('the secret must be 24 to 64 random bytes in base64, with or without whsec_ before it');
  return crypto.subtle.importKey('raw', bytesOf(encoded), algorithm, false, ['sign', 'verify']);
}

export async function signatureOf(key: CryptoKey, signed: Signed): Promise<string> {
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, contentOf(signed)));
  return `v1,${btoa(String.fromCharCode(...mac))}`;
}

/** Whether a signature is the one of this key. `crypto.subtle.verify` compares in constant time. */
export async function isSignature(key: CryptoKey, signature: string, signed: Signed): Promise<boolean> {
  // One form for each signature: of the last digit, some bits would be ignored.
  const [, encoded] = /^v1,([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)$/.exec(signature) ?? [];
  if (encoded === undefined) return false;
  return crypto.subtle.verify('HMAC', key, bytesOf(encoded), contentOf(signed));
}

function contentOf({ id, timestamp, body }: Signed): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  return content;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
