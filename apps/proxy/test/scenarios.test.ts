import { afterAll, describe, expect, it } from 'vitest';
import { ownToken, playScenario, scenarios } from './support/scenarios.ts';
import { startRawUpstream } from './support/servers.ts';
import { startProxy } from './support/set-up.ts';

const platform = { addedNames: [], ownServer: true };

describe.each([
  { identity: 'forward', upstreamAuth: { kind: 'forward' } },
  { identity: 'static', upstreamAuth: { kind: 'static', accessToken: ownToken } },
] as const)('with the upstream identity $identity', async ({ identity, upstreamAuth }) => {
  const upstream = await startRawUpstream(undefined, afterAll);
  const config = { upstreamUrl: upstream.url, upstreamAuth, headMs: 1000 };
  const usual = await startProxy(config, afterAll);
  const stopping = await startProxy({ ...config, allowStopAll: true }, afterAll);

  it.each(scenarios.filter((each) => (each.identity ?? identity) === identity))(
    '$story ($file): $case',
    async (scenario) => {
      const { port } = scenario.allowStopAll ? stopping : usual;
      const outcome = await playScenario(scenario, port, upstream, identity, platform);
      expect(outcome).toMatchObject({ different: [], wrong: [] });
    },
  );
});
