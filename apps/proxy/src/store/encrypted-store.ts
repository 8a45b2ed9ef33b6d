// Keeps what is in a store from whoever can read the store: tokens are encrypted with a key that only the processes have.

import { sha256Hex } from '../sha256.js';
import { Store, type Unlock } from './memory-store.js';

interface StoreKey {
  /** Says which key a text was encrypted with, and nothing about the key. */
  readonly id: string;
  readonly key: CryptoKey;
}

/** What is encrypted: the version of this form, the key's identifier, then the nonce and the bytes, base64. */
const form = /^enc1\.([0-9a-f]{16})\.([0-9A-Za-z+/]+=*)$/;
const nonceBytes = 12;
const cipher = 'AES-GCM';
const encoder = new TextEncoder();

/**
 * A store whose texts are encrypted with AES-256-GCM, each bound to its own name. Texts that were kept in the clear are read, and are
 * encrypted when they are written again.
 */
export class EncryptedStore extends Store {
  override readonly canBeEmptied: boolean;
  readonly #store: Store;
  readonly #writeKey: Promise<StoreKey> | null;
  readonly #keys: readonly Promise<StoreKey>[];

  /**
   * @param secret what texts are encrypted with, at least 32 characters; `undefined` writes them in the clear
   * @param readSecret another one, with which texts are decrypted as well: the one before or the one to come
   */
  constructor(store: Store, secret: string | undefined, readSecret: string | undefined) {
    super();
    this.#store = store;
    this.canBeEmptied = store.canBeEmptied;
    this.#writeKey = secret === undefined ? null : keyOf(secret);
    this.#keys = [
      ...(this.#writeKey ? [this.#writeKey] : []),
      ...(readSecret === undefined ? [] : [keyOf(readSecret)]),
    ];
  }

  /**
   * What was last written under a key; `null` for what was damaged, as if there were nothing.
   *
   * @throws {Error} when it was encrypted with a key that is not here: it is good, and must not be taken for lost
   */
  async read(key: string): Promise<string | null> {
    const text = await this.#store.read(key);
    const [, id = '', encoded = ''] = form.exec(text ?? '') ?? [];
    if (text === null || id === '') return text;
    const known = (await Promise.all(this.#keys)).find((each) => each.id === id);
    if (known === undefined) throw new Error('the store was written with a key that is not VDS_STORE_KEY');
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    try {
      const plain = await crypto.subtle.decrypt(
        cipherOf(key, bytes.slice(0, nonceBytes)),
        known.key,
        bytes.slice(nonceBytes),
      );
      return new TextDecoder().decode(plain);
    } catch {
      return null;
    }
  }

  async write(key: string, text: string): Promise<void> {
    if (this.#writeKey === null) return this.#store.write(key, text);
    const own = await this.#writeKey;
    const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
    const encrypted = await crypto.subtle.encrypt(cipherOf(key, nonce), own.key, encoder.encode(text));
    const bytes = [...nonce, ...new Uint8Array(encrypted)];
    return this.#store.write(key, `enc1.${own.id}.${btoa(String.fromCharCode(...bytes))}`);
  }

  lock(key: string, ttlMs: number): Promise<Unlock | null> {
    return this.#store.lock(key, ttlMs);
  }

  override nowMs(): number {
    return this.#store.nowMs();
  }

  override close(): Promise<void> {
    return this.#store.close();
  }
}

/** A text that is moved to another name, such as that of another brand, is no longer good. */
function cipherOf(name: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams {
  return { name: cipher, iv, additionalData: encoder.encode(name) };
}

async function keyOf(secret: string): Promise<StoreKey> {
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey']);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode('vds-proxy store') };
  const key = await crypto.subtle.deriveKey(derivation, material, { name: cipher, length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  return { id: (await sha256Hex(`vds-proxy store ${secret}`)).slice(0, 16), key };
}
