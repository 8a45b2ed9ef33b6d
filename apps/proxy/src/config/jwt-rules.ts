import type { JwtRules } from '../auth/jwt.js';
import type { SettingValues } from './read-settings.js';
import { mappingOf } from './tokens-from-settings.js';

/** The rules for signed tokens of clients. */
export function jwtRules(values: SettingValues): JwtRules {
  const operations = values.get('VDS_JWT_OPERATIONS');
  return {
    jwksUrl: values.get('VDS_JWKS_URL') ?? '',
    issuer: values.get('VDS_JWT_ISSUER') ?? '',
    audience: values.get('VDS_JWT_AUDIENCE') ?? '',
    algorithms: (values.get('VDS_JWT_ALGORITHMS') ?? '').split(','),
    toleranceSeconds: Number(values.get('VDS_JWT_TOLERANCE_S')),
    claims: mappingOf(values.get('VDS_JWT_CLAIMS')),
    operations: operations === undefined ? null : new Set(operations.split(',')),
  };
}
