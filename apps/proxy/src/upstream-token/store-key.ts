import { sha256Hex } from '../sha256.js';
import { resolveTokenOptions, type TokenOptions } from './token-options.js';

/** Where the tokens of a brand are kept, with a fingerprint of what they are bound to. Whatever differs there never shares a token. */
export async function storeKeyOf(brand: string, options: TokenOptions): Promise<string> {
  const { grant, url, clientId } = resolveTokenOptions(options);
  const { authorizationCode: code = '', refreshToken = '', scope = '', upstreamOrigin = '' } = options;
  const secret = { 'client-credentials': '', 'authorization-code': code, 'refresh-token': refreshToken }[grant];
  const parts = [grant, secret, url, clientId, scope, upstreamOrigin];
  return `token-${brand}-${(await sha256Hex(JSON.stringify(parts))).slice(0, 16)}`;
}
