// A receipt says that what was held of a vehicle is gone: what it was, why it went, when, and how that was seen. Archive, collector and
// proxy issue the same. No module of Node.js is used here, so that a page or an edge can issue and verify receipts as well.

/** The version of the format. */
export const receiptSchema = 'vehicle-data/receipt/1' as const;

/**
 * A receipt. Names of members are those of ISO/IEC TS 27560 where it has one, and values those of the W3C Data Privacy Vocabulary. It has
 * no VIN.
 */
export interface Receipt {
  readonly schema_version: typeof receiptSchema;
  /** Unique for each receipt. */
  readonly record_id: string;
  readonly issuer: ReceiptIssuer;
  /** The pseudonym under which the vehicle was held. */
  readonly pii_principal_id: string;
  /** Whose vehicle it was, as the deployment names accounts; `null` where it has none. */
  readonly account: string | null;
  readonly brand: string;
  readonly signal: ReceiptSignal;
  /** `dpv:Erase`: it was deleted. `dpv:Restrict`: no data of the vehicle passes any more. */
  readonly processing: 'dpv:Erase' | 'dpv:Restrict';
  /** What was held, by series. Empty for a proxy, which holds nothing. */
  readonly storage: readonly ReceiptStorage[];
  /** `false` where records of what was held were damaged, so that more may have been deleted than `storage` says. */
  readonly storage_complete: boolean;
  readonly completed: ReceiptCompletion;
  /** How often the vehicle was purged at this place, this time included; counted from 1. */
  readonly generation: number;
  readonly signature: ReceiptSignature;
}

/** Which program issued a receipt. */
export interface ReceiptIssuer {
  readonly component: 'archive' | 'collector' | 'proxy';
  readonly software: string;
  readonly software_version: string;
}

/** What began the purge. */
export interface ReceiptSignal {
  /**
   * - `withdrawal`: a withdrawal took effect; where an event said so, the list agreed.
   * - `list`: the list of vehicles that share data no longer had the vehicle.
   * - `error`: the service said that the vehicle is not shared, to the program itself or to the proxy, and its list agreed.
   * - `callback`: the service called back, and its list agreed.
   * - `request`: a person asked for deletion.
   */
  readonly event_type: 'withdrawal' | 'list' | 'error' | 'callback' | 'request';
  /** `null` where deletion was asked for, whatever became of the consent. */
  readonly event_state: 'dpv:ConsentWithdrawn' | null;
  /** ISO 8601 in UTC. */
  readonly event_time: string;
}

/** What was held of one series. */
export interface ReceiptStorage {
  readonly series: string;
  /** yyyy-MM-dd. */
  readonly first_day: string;
  /** yyyy-MM-dd, included. */
  readonly last_day: string;
  readonly files: number;
  readonly bytes: number;
}

/** When it was gone. */
export interface ReceiptCompletion {
  /** ISO 8601 in UTC. */
  readonly time: string;
  /** `listed-empty`: the place of the vehicle was listed and had nothing in it. `requests-rejected`: requests for it are rejected. */
  readonly method: 'listed-empty' | 'requests-rejected';
}

/** Ed25519 over the canonical JSON (RFC 8785) of the receipt without this member. */
export interface ReceiptSignature {
  readonly algorithm: 'Ed25519';
  /** JWK thumbprint (RFC 7638) of the public key. */
  readonly key: string;
  /** base64url. */
  readonly value: string;
}

/** What a program knows when it issues a receipt. */
export type ReceiptFacts = Omit<Receipt, 'schema_version' | 'signature'>;

/** Signs receipts; from `receiptSigner`. */
export interface ReceiptSigner {
  /** JWK thumbprint (RFC 7638) of the public key. */
  readonly key: string;
  /** The public key as PEM. Give it to whoever verifies receipts. */
  readonly publicKey: string;
  sign(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
}

/** The outcome of a verification. */
export type ReceiptCheck =
  | { readonly ok: true; readonly receipt: Receipt }
  | {
      readonly ok: false;
      /** `not-a-receipt`: no such JSON, or not byte by byte as it is written. */
      readonly reason: 'not-a-receipt' | 'unknown-key' | 'wrong-signature';
    };

/** Signs a receipt. */
export async function signReceipt(facts: ReceiptFacts, signer: ReceiptSigner): Promise<Receipt> {
  const unsigned = { ...facts, schema_version: receiptSchema } as const;
  const value = base64url(await signer.sign(utf8(canonicalJson(unsigned))));
  return { ...unsigned, signature: { algorithm: 'Ed25519', key: signer.key, value } };
}

/** A receipt as it is stored and sent: one line of canonical JSON. Only this text verifies. */
export function receiptText(receipt: Receipt): string {
  return `${canonicalJson(receipt)}\n`;
}

/**
 * Verifies a receipt without a network. Every edit of a byte is found.
 *
 * @param content the text of `receiptText`, or its bytes
 * @param publicKeys PEM of the keys that are trusted
 */
export async function verifyReceipt(
  content: string | Uint8Array,
  publicKeys: readonly string[],
): Promise<ReceiptCheck> {
  const receipt = readReceipt(content);
  if (!receipt) return { ok: false, reason: 'not-a-receipt' };
  const { signature, ...unsigned } = receipt;
  for (const publicKey of publicKeys) {
    const bytes = bytesOfPem(publicKey);
    const key = bytes && (await importPublic(bytes));
    if (!key || (await thumbprint(key)) !== signature.key) continue;
    const signed = bytesOfBase64url(signature.value);
    const isRight = await crypto.subtle.verify('Ed25519', key, signed, utf8(canonicalJson(unsigned)));
    return isRight ? { ok: true, receipt } : { ok: false, reason: 'wrong-signature' };
  }
  return { ok: false, reason: 'unknown-key' };
}

/**
 * Reads a receipt without verifying it.
 *
 * @returns `undefined` where it is none, or is not byte by byte as receipts are written
 */
export function readReceipt(content: string | Uint8Array): Receipt | undefined {
  try {
    const text =
      typeof content === 'string'
        ? content
        : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    const value: unknown = JSON.parse(text);
    if (!isReceipt(value) || receiptText(value) !== text) return undefined;
    return base64url(bytesOfBase64url(value.signature.value)) === value.signature.value ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value has the members of a receipt that are read before its signature is. The rest is what was signed. */
function isReceipt(value: unknown): value is Receipt {
  if (typeof value !== 'object' || value === null || !('schema_version' in value && 'signature' in value)) return false;
  const { schema_version, signature } = value;
  if (schema_version !== receiptSchema || typeof signature !== 'object' || signature === null) return false;
  return (
    'algorithm' in signature &&
    signature.algorithm === 'Ed25519' &&
    'key' in signature &&
    typeof signature.key === 'string' &&
    'value' in signature &&
    typeof signature.value === 'string' &&
    Object.keys(signature).length === 3
  );
}

/**
 * Makes a key for receipts.
 *
 * @returns the private key as PEM (PKCS #8). Whoever has it can issue receipts in the name of the deployment.
 */
export async function createReceiptKey(): Promise<string> {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new TypeError('no pair of keys was made');
  return pemOf('PRIVATE KEY', new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey)));
}

/**
 * A signer from a private key.
 *
 * @param privateKey PEM (PKCS #8) of an Ed25519 key, from `createReceiptKey` or `openssl genpkey -algorithm ed25519`
 * @throws Error where it is none. The message does not repeat it.
 */
export async function receiptSigner(privateKey: string): Promise<ReceiptSigner> {
  const bytes = bytesOfPem(privateKey);
  const key =
    bytes && (await crypto.subtle.importKey('pkcs8', bytes, 'Ed25519', true, ['sign']).catch(() => undefined));
  if (!key) throw new Error('this is no Ed25519 private key in PEM (PKCS #8)');
  const { x = '' } = await crypto.subtle.exportKey('jwk', key);
  const open = await crypto.subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x }, 'Ed25519', true, ['verify']);
  return {
    key: await thumbprint(open),
    publicKey: pemOf('PUBLIC KEY', new Uint8Array(await crypto.subtle.exportKey('spki', open))),
    sign: async (message) => new Uint8Array(await crypto.subtle.sign('Ed25519', key, message)),
  };
}

const importPublic = (bytes: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('spki', bytes, 'Ed25519', true, ['verify']).catch(() => undefined);

async function thumbprint(key: CryptoKey): Promise<string> {
  const { x } = await crypto.subtle.exportKey('jwk', key);
  const members = utf8(canonicalJson({ kty: 'OKP', crv: 'Ed25519', x }));
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', members)));
}

/** JSON in the one way of RFC 8785: members in the order of their names, no spaces. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

const utf8 = (text: string) => new TextEncoder().encode(text);

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function base64url(bytes: Uint8Array): string {
  return base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function bytesOfBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
}

function pemOf(label: string, bytes: Uint8Array): string {
  const lines = base64(bytes).replace(/.{64}/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines.trimEnd()}\n-----END ${label}-----\n`;
}

function bytesOfPem(pem: string): Uint8Array<ArrayBuffer> | undefined {
  const [, body] = /-----BEGIN [A-Z ]+-----([A-Za-z0-9+/=\s]+)-----END [A-Z ]+-----/.exec(pem) ?? [];
  try {
    return body === undefined ? undefined : bytesOfBase64url(body.replace(/\s/g, ''));
  } catch {
    return undefined;
  }
}
