import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownToken, playScenario, scenarios } from './support/scenarios.ts';
import { type RawServer, startRawServer } from './support/servers.ts';
import { openProxy } from './support/set-up.ts';

type Proxy = Awaited<ReturnType<typeof openProxy>>;
const platform = { addedNames: [], ownServer: true };

describe.each([
  ['forward', { kind: 'forward' }],
  ['static', { kind: 'static', accessToken: ownToken }],
] as const)('with the upstream identity %s', (identity, upstreamAuth) => {
  let upstream: RawServer;
  let usual: Proxy;
  let stopping: Proxy;
  beforeAll(async () => {
    upstream = await startRawServer();
    const config = { upstreamUrl: upstream.url, upstreamAuth };
    usual = await openProxy(config, { headMs: 1000 });
    stopping = await openProxy({ ...config, allowStopAll: true }, { headMs: 1000 });
  });
  afterAll(() => Promise.all([usual, stopping, upstream].map((each) => each.close())));

  it.each(scenarios.filter((each) => (each.identity ?? identity) === identity))(
    '$story ($file): $case',
    async (scenario) => {
      const { port } = scenario.allowStopAll ? stopping : usual;
      const outcome = await playScenario(scenario, port, upstream, identity, platform);
      expect(outcome).toMatchObject({ different: [], wrong: [] });
    },
  );
});
