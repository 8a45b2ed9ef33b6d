/** Settings with which the tokens of `brand_a` come from the endpoint at this address. */
export const tokenSettings = (url: string) => ({
  VDS_UPSTREAM_URL: 'https://vehicle-data.invalid',
  VDS_UPSTREAM_AUTH: 'token-endpoint',
  VDS_BRANDS: 'brand_a',
  VDS_TOKEN_URL: `${url}/token`,
  VDS_TOKEN_TIMEOUT_MS: '10000',
  VDS_CLIENT_ID: 'the-client',
  VDS_CLIENT_SECRET: 'the-secret',
  // One that outlives the process, as some grants need; the tests make it themselves.
  VDS_STORE: 'file',
  VDS_STORE_DIR: '/nowhere',
});
