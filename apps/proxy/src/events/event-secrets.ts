import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

// What the secrets of the receiver are used for: to sign what is sent, and to seal what waits, so that neither a disk nor Redis has VINs.

const nonceBytes = 12;
const tagBytes = 16;

/** The signing and sealing of events. The first secret is the present one; with the others, what was sealed before is opened, too. */
export class EventSecrets {
  readonly #keys: readonly { readonly sign: Buffer; readonly seal: Buffer }[];

  /** @param text secrets of Standard Webhooks, separated by commas */
  constructor(text: string) {
    this.#keys = text.split(',').map((secret) => {
      const sign = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      return { sign, seal: Buffer.from(hkdfSync('sha256', sign, '', 'vds-proxy events', 32)) };
    });
  }

  /**
   * The value of `webhook-signature`, with a signature of each secret:
   * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme
   */
  signatures(id: string, seconds: number, body: string): string {
    const mac = (key: Buffer) => createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
    return this.#keys.map(({ sign }) => `v1,${mac(sign)}`).join(' ');
  }

  seal(id: string, body: string): string {
    const [key] = this.#keys;
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', key?.seal ?? '', nonce).setAAD(Buffer.from(id));
    return Buffer.concat([nonce, cipher.update(body), cipher.final(), cipher.getAuthTag()]).toString('base64');
  }

  /** The body; `null` when it was sealed with another secret, or is damaged. */
  open(id: string, text: string): string | null {
    const bytes = Buffer.from(text, 'base64');
    for (const { seal } of this.#keys) {
      try {
        const cipher = createDecipheriv('aes-256-gcm', seal, bytes.subarray(0, nonceBytes));
        cipher.setAAD(Buffer.from(id)).setAuthTag(bytes.subarray(-tagBytes));
        return Buffer.concat([cipher.update(bytes.subarray(nonceBytes, -tagBytes)), cipher.final()]).toString();
      } catch {
        // Another one, or none.
      }
    }
    return null;
  }
}
