/** The settings of one brand's tokens that come from the endpoint at this address. */
export const tokenSettings = (url: string) =>
  ({
    endpoint: {
      url: `${url}/token`,
      refreshUrl: `${url}/token`,
      form: 'oauth',
      clientId: 'the-client',
      clientSecret: 'the-secret',
      clientAuth: 'body',
      redirectUrl: '',
      scope: '',
      requestFields: {},
      responseFields: {},
      timeoutMs: 10_000,
    },
    upstreamOrigin: 'https://vehicle-data.invalid',
    tokenSeconds: 3600,
    refreshTokenDays: 90,
  }) as const;
