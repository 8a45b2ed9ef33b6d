import type { KeyRecord } from '../auth/key-record.js';

/** What a key has done, as all processes together say. */
interface Usage {
  requests: number;
  errors: number;
  limited: number;
  lastUsed: string;
}

const timeoutMs = 5000;

/**
 * What each key has done since the processes started, one line a key.
 *
 * @param addresses admin ports, such as `http://127.0.0.1:9787`, one for each process
 * @throws {Error} when an admin port cannot be reached
 */
export async function usageLines(
  records: readonly KeyRecord[],
  addresses: readonly string[],
): Promise<readonly string[]> {
  const used = new Map<string, Usage>();
  for (const address of addresses) for (const [client, usage] of await usageAt(address)) add(used, client, usage);
  return records.map(({ id, name, revoked }) => {
    const { requests, errors, limited, lastUsed } = used.get(id) ?? {
      requests: 0,
      errors: 0,
      limited: 0,
      lastUsed: 'never',
    };
    const parts = [id, `requests ${requests}`, `errors ${errors}`, `limited ${limited}`, `last used ${lastUsed}`];
    return [...parts, ...(revoked === null ? [] : ['revoked']), name].join('  ').trimEnd();
  });
}

function add(used: Map<string, Usage>, client: string, { requests, errors, limited, lastUsed }: Usage): void {
  const before = used.get(client) ?? { requests: 0, errors: 0, limited: 0, lastUsed: '' };
  used.set(client, {
    requests: before.requests + requests,
    errors: before.errors + errors,
    limited: before.limited + limited,
    lastUsed: lastUsed > before.lastUsed ? lastUsed : before.lastUsed,
  });
}

async function usageAt(address: string): Promise<readonly (readonly [string, Usage])[]> {
  const failed = new Error('--admin-url: an admin port cannot be reached, or is none of this proxy');
  const url = URL.canParse('/usage', address) ? new URL('/usage', address) : null;
  if (url === null) throw failed;
  const document: unknown = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    .then((response) => response.json())
    .catch(() => null);
  if (typeof document !== 'object' || document === null || !('clients' in document)) throw failed;
  const { clients } = document;
  if (!Array.isArray(clients)) throw failed;
  return clients.map((each: Readonly<Record<string, unknown>>) => [
    String(each['client']),
    {
      requests: Number(each['requests']),
      errors: Number(each['errors']),
      limited: Number(each['limited']),
      lastUsed: String(each['lastUsed']),
    },
  ]);
}
