// A receipt says that requests for a vehicle are rejected since its owner withdrew consent. The proxy holds no data of vehicles, so what it
// can issue is a part of the format of @vehicle-data/archive/receipts. Its JSON schema and its verification are the tests of this file:
// the proxy installs nothing that it needs for this alone.
import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { readPrivateKey } from '../audit/signing-key.js';

/** What is known of a withdrawal whose fence stands. */
export interface FencedVehicle {
  /** Unique for each withdrawal. */
  readonly recordId: string;
  /** Keyed hash of the VIN, as in the audit log; `all…` where all vehicles of a brand or an owner were withdrawn. */
  readonly pseudonym: string;
  readonly brand: string;
  /** When the service confirmed the withdrawal, in milliseconds since 1970. */
  readonly withdrawnMs: number;
}

/** Signs receipts. */
export interface ReceiptKey {
  /** JWK thumbprint: https://www.rfc-editor.org/rfc/rfc7638 */
  readonly thumbprint: string;
  /** The public key in PEM form, for whoever verifies receipts. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
  /** That of the proxy. */
  readonly softwareVersion: string;
}

/** @throws {Error} when the file has no Ed25519 key; the text names the setting */
export function readReceiptKey(path: string, softwareVersion: string): ReceiptKey {
  const privateKey = readPrivateKey(path, 'VDS_RECEIPTS_KEY_FILE');
  const publicKey = createPublicKey(privateKey);
  const { x } = publicKey.export({ format: 'jwk' });
  return {
    thumbprint: createHash('sha256')
      .update(canonicalJson({ kty: 'OKP', crv: 'Ed25519', x }))
      .digest('base64url'),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey,
    softwareVersion,
  };
}

/**
 * The text of a receipt: one line of canonical JSON.
 *
 * @param generation how often the vehicle was fenced at this place, this time included
 * @param fencedMs when requests were rejected, in milliseconds since 1970
 */
export function receiptText(
  { recordId, pseudonym, brand, withdrawnMs }: FencedVehicle,
  generation: number,
  fencedMs: number,
  key: ReceiptKey,
): string {
  const unsigned = {
    schema_version: 'vehicle-data/receipt/1',
    record_id: recordId,
    issuer: { component: 'proxy', software: '@vehicle-data/proxy', software_version: key.softwareVersion },
    pii_principal_id: pseudonym,
    account: null,
    brand,
    signal: {
      event_type: 'withdrawal',
      event_state: 'dpv:ConsentWithdrawn',
      event_time: new Date(withdrawnMs).toISOString(),
    },
    processing: 'dpv:Restrict',
    storage: [],
    storage_complete: true,
    completed: { time: new Date(fencedMs).toISOString(), method: 'requests-rejected' },
    generation,
  };
  const value = sign(null, Buffer.from(canonicalJson(unsigned)), key.privateKey).toString('base64url');
  return `${canonicalJson({ ...unsigned, signature: { algorithm: 'Ed25519', key: key.thumbprint, value } })}\n`;
}

/** Members in the order of their names: https://www.rfc-editor.org/rfc/rfc8785 */
function canonicalJson(value: object): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member !== 'object' || member === null || Array.isArray(member)
      ? member
      : Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1))),
  );
}
