import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownToken, playScenario } from './support/play-scenario.ts';
import { openProxy, type TestProxy } from './support/proxy.ts';
import { type RecordingUpstream, startRecordingUpstream } from './support/recording-upstream.ts';
import { readStories } from './support/scenario-files.ts';

const identities = { forward: { kind: 'forward' }, static: { kind: 'static', accessToken: ownToken } } as const;
const platform = { addedNames: [], ownServer: true };

describe.each(['forward', 'static'] as const)('with the upstream identity %s', (identity) => {
  let upstream: RecordingUpstream;
  let proxies: readonly [TestProxy, TestProxy];
  beforeAll(async () => {
    upstream = await startRecordingUpstream();
    const config = { upstreamUrl: upstream.url, upstreamAuth: identities[identity] };
    const times = { headMs: 1000 };
    proxies = [await openProxy(config, times), await openProxy({ ...config, allowStopAll: true }, times)];
  });
  afterAll(async () => {
    for (const proxy of proxies) await proxy.close();
    await upstream.close();
  });

  describe.each(readStories())('$story ($file)', (story) => {
    const cases = story.cases.filter((each) => each.identity === undefined || each.identity === identity);
    it.each(cases)('$case', async (each) => {
      const { port } = proxies[story.allowStopAll === true ? 1 : 0];
      const outcome = await playScenario(story, each, port, upstream, identity, platform);
      expect(outcome).toMatchObject({ different: [], unsafe: [] });
    });
  });
});
