import { errorCatalogue } from '@vehicle-data/openapi';

const rejectionCodes: ReadonlySet<string> = new Set(
  errorCatalogue
    .filter((entry) => entry.resolution === 'refresh-token' || entry.code === '401')
    .map((entry) => entry.code),
);

/** Whether an error answer means that the access token is no longer good: by its code, or by HTTP status 401. */
export function isTokenRejection(status: number, code: string): boolean {
  return status === 401 || rejectionCodes.has(code);
}
