import { requestFieldNames } from '../upstream-token/token-endpoint.js';
import { responseFieldNames } from '../upstream-token/token-response.js';
import { boolean, choice, file, integer, mapping, password, setting, text, token, url, words } from './setting.js';

const byBrand = { byBrand: true } as const;

/** Whose access token the service gets, and where it comes from. */
export const upstreamAuth = {
  VDS_UPSTREAM_AUTH: setting(
    choice('forward', 'static', 'token-endpoint'),
    "Whose access token the service gets: the client's own, one of the proxy, or those that the proxy gets from a token endpoint",
    { default: 'forward', ...byBrand },
  ),
  VDS_ACCESS_TOKEN: setting(token, 'The access token of `VDS_UPSTREAM_AUTH=static`', byBrand),
  VDS_TOKEN_URL: setting(url, 'Address of the token endpoint; it can be on another host than the service', byBrand),
  VDS_TOKEN_REFRESH_URL: setting(url, 'Address where tokens are refreshed; without it, `VDS_TOKEN_URL`', byBrand),
  VDS_TOKEN_GRANT: setting(
    choice('client-credentials', 'authorization-code', 'refresh-token'),
    'What the first token is requested with; the last two need a store that outlives the process',
    { default: 'client-credentials', ...byBrand },
  ),
  VDS_TOKEN_FORM: setting(
    choice('oauth', 'envelope'),
    'Form of token requests: RFC 6749, or JSON with a response in the `data`/`meta` envelope',
    { default: 'oauth', ...byBrand },
  ),
  VDS_CLIENT_ID: setting(text, 'Identifier of this client at the token endpoint', byBrand),
  VDS_CLIENT_SECRET: setting(password(), 'Secret of this client at the token endpoint', byBrand),
  VDS_TOKEN_CLIENT_AUTH: setting(
    choice('body', 'basic'),
    'Where identifier and secret are sent: with the other fields, or in an Authorization header',
    { default: 'body', ...byBrand },
  ),
  VDS_AUTHORIZATION_CODE: setting(
    password(),
    'The code of `VDS_TOKEN_GRANT=authorization-code`; used once, then the refresh token that came with the first token',
    byBrand,
  ),
  VDS_REFRESH_TOKEN: setting(
    password(),
    'The first refresh token of `VDS_TOKEN_GRANT=refresh-token`; another value here stands for a new consent',
    byBrand,
  ),
  VDS_REDIRECT_URL: setting(url, 'Redirect address that the authorization code was issued for', byBrand),
  VDS_TOKEN_SCOPE: setting(words, 'Scopes to request', byBrand),
  VDS_TOKEN_REQUEST_FIELDS: setting(
    mapping(requestFieldNames),
    'Fields of token requests that have other names, such as `clientId=client`',
    byBrand,
  ),
  VDS_TOKEN_RESPONSE_FIELDS: setting(
    mapping(responseFieldNames),
    'Fields of token responses that are elsewhere, such as `accessToken=data.token.value`',
    byBrand,
  ),
  VDS_TOKEN_LIFETIME_S: setting(integer(60, 86_400), 'Lifetime of a token whose response states none, in seconds', {
    default: '3600',
    ...byBrand,
  }),
  VDS_REFRESH_TOKEN_DAYS: setting(
    integer(1, 3650),
    'Lifetime of a refresh token whose response states none, in days; the day of renewal is counted from it',
    { default: '90', ...byBrand },
  ),
  VDS_TOKEN_TIMEOUT_MS: setting(integer(100, 60_000), 'Time for one token request in all, in milliseconds', {
    default: '5000',
    ...byBrand,
  }),
};

/** How the proxy connects to the service. */
export const upstreamConnections = {
  VDS_UPSTREAM_CA_FILE: setting(file, 'Certificate authorities of the upstream (PEM), besides those of Node'),
  VDS_UPSTREAM_CERT_FILE: setting(
    file,
    'Client certificate for the upstream (PEM), with the key in `VDS_UPSTREAM_KEY_FILE`',
  ),
  VDS_UPSTREAM_KEY_FILE: setting(file, 'Key of the client certificate for the upstream (PEM)'),
  VDS_UPSTREAM_MIN_TLS: setting(choice('TLSv1.2', 'TLSv1.3'), 'Lowest TLS version for the upstream', {
    default: 'TLSv1.2',
  }),
  VDS_UPSTREAM_PROXY: setting(
    password(),
    'Egress proxy for connections to the upstream, such as `http://user:password@proxy:3128`; it must take CONNECT',
  ),
  VDS_ALLOW_PLAINTEXT: setting(
    boolean,
    'Whether `http://` to an upstream and `redis://` to a Redis on another host may be used, where tokens travel in the clear',
    { default: 'false' },
  ),
};
