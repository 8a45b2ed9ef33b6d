import { describe, expect, it } from 'vitest';
import type { Setting } from '#kit/settings/table.js';
import { readGuide, settingTables, unpadded } from '../../../packages/kit/build/settings-in-guide.ts';
import { configFrom } from '../src/config/proxy-config.js';
import { flagOf, isByBrand, proxySettings } from '../src/config/settings.js';
import { mistakesOf, settingsOf } from './support/settings.ts';

const upstream = { VDS_UPSTREAM_URL: 'https://vehicle-data.invalid' };

/** Values that are wrong for every setting of a kind, by the words of the table; each holds a word that no message may repeat. */
const wrongValues: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^text/, ['', 'zebra 7', 'zebra\n7', 'zebra\u00e9']],
  [/^words/, ['', ' zebra', 'zebra  7', 'zebra\n7', 'zebra\u00e9', '"zebra"']],
  [/^path/, ['', 'zebra\n7', 'zebra\t7']],
  [/^access token/, ['', 'zebra 7', 'zebra\r\n7', 'zebra\u00e9', 'zebra=x', '{zebra}']],
  [/^secret/, ['', 'zebra 7', 'zebra\r\n7', 'zebra\u00e9']],
  [/^address without/, ['', 'zebra', 'ftp://zebra', 'https://zebra:pass@host', 'https://host/?zebra', '//zebra']],
  [/^address/, ['', 'zebra', 'ftp://zebra', 'https://zebra:pass@host', 'https://host/?a#zebra', '//zebra']],
  [/^whole/, ['', 'zebra', '-77777777', '1.5777', '1e5777', ' 7777777', '99999999999999777', '0x77777']],
  [/^true/, ['', 'zebra', '2777', 'truezebra']],
  [/^names/, ['', 'zebra,,x', 'zebra x', ',zebra', 'zebra;x']],
  [/^calls/, ['', 'zebra', '777777', '0/777s', '10/0s/777', '-1/777s', '10/777m']],
  [/^`name=/, ['', 'zebra', 'zebra=', '=zebra', 'zebra=a..b', 'zebra=a b']],
  [/^`/, ['', 'zebra', 'NONEzebra']],
];

const wrongFor = ({ words }: Setting) => wrongValues.find(([form]) => form.test(words))?.[1] ?? [];

describe('the settings', () => {
  it.each(proxySettings.settings)('name the wrong one in one line without its value: $variable', (setting) => {
    const { variable } = setting;
    const wrong = wrongFor(setting).flatMap((value) => {
      const file = JSON.stringify({ [setting.flag]: value });
      const variables = [variable, ...setting.alsoVariables];
      const flags = [setting.flag, ...setting.alsoFlags];
      const others = variable === 'VDS_UPSTREAM_URL' ? {} : upstream;
      const section = JSON.stringify({ 'by-brand': { brand_a: { [setting.flag]: value } } });
      const ways = [
        // An empty variable is one that is not set.
        ...(value === '' ? [] : variables.map((name) => mistakesOf({ ...others, [name]: value }))),
        ...flags.map((flag) => mistakesOf(others, [`--${flag}=${value}`])),
        ...(isByBrand(variable) ? [mistakesOf({ ...others, VDS_CONFIG_FILE: '/c' }, [], { '/c': section })] : []),
        ...(variable === 'VDS_CONFIG_FILE' ? [] : [mistakesOf({ VDS_CONFIG_FILE: '/c' }, [], { '/c': file })]),
      ];
      return ways.flatMap((mistakes) => {
        const own = mistakes.filter((mistake) => /^\S+(?= \(by-brand\): |: )/.exec(mistake)?.[0] === variable);
        const isSaid = own.length === 1 && mistakes.every((mistake) => !/zebra|777|[\r\n]/.test(mistake));
        return isSaid ? [] : [{ value, mistakes }];
      });
    });
    expect(wrong).toEqual([]);
    expect(wrongFor(setting)).not.toEqual([]);
  });

  const forms = proxySettings.settings.filter(({ variable }) => variable !== 'VDS_CONFIG_FILE');
  it.each(forms)('name the wrong one of a file in one line without its value: $variable', ({ variable, json }) => {
    const wrong: unknown[] = [null, {}, [], [7777], [['zebra']]];
    if (json !== 'number') wrong.push(7777);
    if (json !== 'boolean') wrong.push(true);
    if (json !== 'list') wrong.push(['zebra']);
    const said = wrong.flatMap((value) => {
      const file = JSON.stringify({ [flagOf(variable)]: value });
      const mistakes = mistakesOf({ ...upstream, VDS_CONFIG_FILE: '/c' }, [], { '/c': file });
      const own = mistakes.filter((mistake) => mistake.startsWith(`${variable}: must be `));
      const isSaid = own.length === 1 && !mistakes.some((mistake) => /zebra|7777/.test(mistake));
      return isSaid ? [] : [{ value, mistakes }];
    });
    expect(said).toEqual([]);
  });

  it.each(proxySettings.settings.filter(({ secret }) => secret))(
    'take a secret from a file, whose content no message repeats: $variable',
    ({ variable }) => {
      expect(mistakesOf({ ...upstream, [`${variable}_FILE`]: '/zebra' })).toContain(
        `${variable}_FILE: the file cannot be read`,
      );
      const twice = mistakesOf({ ...upstream, [variable]: 'zebra', [`${variable}_FILE`]: '/f' }, [], { '/f': 'zebra' });
      expect(twice).toContain(`${variable}: given twice, as a value and as a file`);
      const wrong = mistakesOf({ ...upstream, [`${variable}_FILE`]: '/f' }, [], { '/f': 'zebra \u00e9' });
      expect(wrong.filter((mistake) => mistake.startsWith(`${variable}: `))).toHaveLength(1);
      for (const mistake of [...twice, ...wrong]) expect(mistake).not.toContain('zebra');
    },
  );

  it('report all mistakes at once', () => {
    const mistakes = mistakesOf({ VDS_PORT: 'x', VDS_DEADLINE_MS: 'x', VDS_NONE: 'x' }, ['--what', 'loose']);
    expect(mistakes.map((mistake) => mistake.split(':')[0])).toEqual([
      '--what',
      'argument 2',
      'VDS_NONE',
      'VDS_PORT',
      'VDS_DEADLINE_MS',
      'VDS_UPSTREAM_URL',
    ]);
  });

  it('report what is wrong with a setting whose name begins that of another wrong one', () => {
    const grant = { VDS_TOKEN_GRANT: 'refresh-token', VDS_REFRESH_TOKEN: 'x', VDS_CLIENT_ID: 'me' };
    const endpoint = { VDS_UPSTREAM_AUTH: 'token-endpoint', VDS_TOKEN_URL: 'https://tokens.invalid/token' };
    const own = { ...endpoint, ...grant, VDS_BRANDS: 'brand_a' };
    const mistakes = mistakesOf({ ...upstream, ...own, VDS_STORE_DIR: 'zebra\n7' });
    expect(mistakes.map((mistake) => mistake.split(':')[0])).toEqual(['VDS_STORE_DIR', 'VDS_STORE']);
  });

  it.each([
    { grant: 'refresh-token', name: 'VDS_REFRESH_TOKEN' },
    { grant: 'authorization-code', name: 'VDS_AUTHORIZATION_CODE' },
  ])('reject one grant for several brands, and say how each gets its own: $grant', ({ grant, name }) => {
    const store = { VDS_STORE: 'file', VDS_STORE_DIR: '/nowhere', VDS_CONFIG_FILE: '/c' };
    const endpoint = { VDS_UPSTREAM_AUTH: 'token-endpoint', VDS_TOKEN_URL: 'https://tokens.invalid/token' };
    const common = { ...upstream, ...store, ...endpoint, VDS_TOKEN_GRANT: grant, VDS_CLIENT_ID: 'me' };
    const brandsWith = (secrets: readonly string[]) =>
      JSON.stringify({
        'by-brand': Object.fromEntries(secrets.map((secret, at) => [`brand_${'abc'[at]}`, { [flagOf(name)]: secret }])),
      });
    const key = flagOf(name);
    const shared = (one: string, other: string) =>
      `${name}: ${one} and ${other} must not share one, because it is good for one use: give each brand its own as ${key} or ` +
      `${key}-file in by-brand of VDS_CONFIG_FILE, or set VDS_BRANDS to the one brand it is for`;
    expect(mistakesOf({ ...common, [name]: 'zebra' }, [], { '/c': '{}' })).toEqual([shared('brand_a', 'brand_b')]);
    expect(mistakesOf({ ...common, [name]: 'zebra' }, [], { '/c': brandsWith(['x']) })).toEqual([
      shared('brand_b', 'brand_c'),
    ]);
    expect(mistakesOf(common, [], { '/c': brandsWith(['x', 'y', 'x']) })).toEqual([shared('brand_a', 'brand_c')]);
    expect(mistakesOf({ ...common, [name]: 'zebra' }, [], { '/c': brandsWith(['x', 'y']) })).toEqual([]);
    expect(mistakesOf(common, [], { '/c': brandsWith(['x', 'y', 'z']) })).toEqual([]);
    expect(mistakesOf({ ...common, [name]: 'zebra', VDS_BRANDS: 'brand_b' }, [], { '/c': '{}' })).toEqual([]);
  });

  const unused = /is set, but VDS_\w+ is \w+ and would never use it$/;
  const percent = /must have user and password percent-encoded, with %25 for a percent sign$/;
  const redis = { VDS_STORE: 'redis' };
  it.each<{ name: string; environment: Record<string, string>; problem: RegExp }>([
    { name: 'VDS_JWT_OPERATIONS', environment: { VDS_JWT_OPERATIONS: 'listVehicles' }, problem: unused },
    { name: 'VDS_TOKEN_URL', environment: { VDS_TOKEN_URL: 'https://tokens.invalid/token' }, problem: unused },
    { name: 'VDS_CLIENT_SECRET', environment: { VDS_CLIENT_SECRET: 'zebra' }, problem: unused },
    {
      name: 'VDS_REDIS_URL',
      environment: { ...redis, VDS_REDIS_URL: 'redis://u:50%zebra@127.0.0.1' },
      problem: percent,
    },
    { name: 'VDS_UPSTREAM_PROXY', environment: { VDS_UPSTREAM_PROXY: 'http://u%:zebra@127.0.0.1' }, problem: percent },
    {
      name: 'VDS_REDIS_URL',
      environment: { ...redis, VDS_REDIS_URL: 'redis://127.0.0.1/zebra' },
      problem: /must have the number of a database/,
    },
    {
      name: 'VDS_REDIS_URL',
      environment: { ...redis, VDS_REDIS_URL: 'redis://127.0.0.1?db=3' },
      problem: /must have the number of a database/,
    },
    {
      name: 'VDS_REDIS_URL',
      environment: { ...redis, VDS_REDIS_URL: 'redis://zebra:6379' },
      problem: /must start with rediss:\/\/ unless /,
    },
    {
      name: 'VDS_UPSTREAM_URL',
      environment: { VDS_UPSTREAM_URL: 'http://zebra.invalid' },
      problem: /must start with https:\/\/ unless it is on this/,
    },
    {
      name: 'VDS_UPSTREAM_KEY_FILE',
      environment: { VDS_UPSTREAM_CERT_FILE: 'zebra.pem' },
      problem: /must be set while /,
    },
    {
      name: 'NODE_TLS_REJECT_UNAUTHORIZED',
      environment: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      problem: /must not be 0/,
    },
  ])('reject one that cannot work, without its value: $name in $environment', ({ name, environment, problem }) => {
    const [mistake = '', ...others] = mistakesOf({ ...upstream, ...environment });
    expect([mistake.split(':')[0], others]).toEqual([name, []]);
    expect(mistake).toMatch(problem);
    expect(mistake).not.toContain('zebra');
  });

  it.each<{ name: string; environment: Record<string, string> }>([
    { name: 'VDS_ADMIN_PORT', environment: { VDS_PORT: '9002', VDS_ADMIN_PORT: '9000', VDS_WORKERS: '3' } },
    { name: 'VDS_ADMIN_PORT', environment: { VDS_ADMIN_PORT: '65534', VDS_WORKERS: '3' } },
    { name: 'VDS_PROBE_PORT', environment: { VDS_PROBE_PORT: '9001', VDS_ADMIN_PORT: '9000', VDS_WORKERS: '2' } },
    { name: 'VDS_PROBE_PORT', environment: { VDS_PROBE_PORT: '9000', VDS_PORT: '9000' } },
  ])('reject a port that meets another one of some process: $name in $environment', ({ name, environment }) => {
    expect(mistakesOf({ ...upstream, ...environment })).toEqual([expect.stringMatching(`^${name}: must `)]);
    expect(mistakesOf({ ...upstream, ...environment, VDS_WORKERS: '1', VDS_PORT: '0' })).toEqual([]);
  });

  it('repeat nothing that is in the place of a missing secret', () => {
    expect(mistakesOf(upstream, ['--access-token', '--zebra'])).toEqual([
      '--access-token: a value is missing',
      'argument 2: not a flag',
    ]);
  });

  it('have requests to a foreign host rejected where clients are not authenticated', () => {
    expect(configFrom(settingsOf(upstream)).localHostOnly).toBe(true);
    const keys = { VDS_CLIENT_AUTH: 'api-key', VDS_KEYS_FILE: '/keys' };
    expect(configFrom(settingsOf({ ...upstream, ...keys })).localHostOnly).toBe(false);
  });

  it('may have an access token for all brands that a single one uses', () => {
    const file = { '/c': '{"access-token":"own","by-brand":{"brand_a":{"upstream-auth":"static"}}}' };
    const { byBrand } = settingsOf({ ...upstream, VDS_CONFIG_FILE: '/c' }, [], file);
    expect(byBrand.get('brand_a')?.values.VDS_ACCESS_TOKEN).toBe('own');
  });

  it('reject a brand alone that would forward the signed tokens of clients', () => {
    const jwt = { VDS_JWKS_URL: 'https://issuer.invalid/keys', VDS_JWT_ISSUER: 'issuer', VDS_JWT_AUDIENCE: 'proxy' };
    const own = { VDS_CLIENT_AUTH: 'jwt', VDS_UPSTREAM_AUTH: 'static', VDS_ACCESS_TOKEN: 'own' };
    const file = { '/c': '{"by-brand":{"brand_a":{"upstream-auth":"forward"}}}' };
    expect(mistakesOf({ ...upstream, ...jwt, ...own, VDS_CONFIG_FILE: '/c' }, [], file)).toEqual([
      expect.stringMatching(/^VDS_UPSTREAM_AUTH \(by-brand\): must not be forward while VDS_CLIENT_AUTH is jwt, /),
    ]);
  });

  it('let a flag win over a variable, and a variable over the file', () => {
    const file = { '/c': '{"upstream-url":"https://file.invalid","port":1,"deadline-ms":3000,"brands":["a","b"]}' };
    const { values } = settingsOf(
      { VDS_CONFIG_FILE: '/c', VDS_PORT: '2', VDS_DEADLINE_MS: '2000' },
      ['--port=3'],
      file,
    );
    expect(values.VDS_PORT).toBe(3);
    expect(values.VDS_DEADLINE_MS).toBe(2000);
    expect(values.VDS_UPSTREAM_URL).toBe('https://file.invalid');
    expect(values.VDS_BRANDS).toEqual(['a', 'b']);
  });

  it.each([
    { text: '{zebra', mistake: 'VDS_CONFIG_FILE: the file is not JSON' },
    { text: '["zebra"]', mistake: 'VDS_CONFIG_FILE: the file must hold one JSON object' },
    { text: '{"zebras":1}', mistake: 'VDS_CONFIG_FILE: zebras: no such setting' },
    { text: '{"Zebra 7":1}', mistake: 'VDS_CONFIG_FILE: a key: no such setting' },
    { text: '{"config-file":"/d"}', mistake: 'VDS_CONFIG_FILE: config-file: no such setting' },
    {
      text: '{"upstream":"https://a.invalid","upstream-url":"https://b.invalid"}',
      mistake: 'VDS_CONFIG_FILE: upstream-url: given twice',
    },
    { text: '{"by-brand":{"zebra":{}}}', mistake: 'VDS_CONFIG_FILE: by-brand: names a brand that is not served' },
    {
      text: '{"by-brand":{"brand_a":7}}',
      mistake: 'VDS_CONFIG_FILE: by-brand: every brand must be an object of settings',
    },
    { text: '{"by-brand":{"brand_a":{"port":7}}}', mistake: 'VDS_CONFIG_FILE: by-brand: port: no such setting' },
    {
      text: '{"by-brand":{"brand_a":{"upstream-auth":"static"}}}',
      mistake: 'VDS_ACCESS_TOKEN (by-brand): must be set while VDS_UPSTREAM_AUTH is static',
    },
  ])('reject a wrong configuration file: $text', ({ text, mistake }) => {
    expect(mistakesOf({ ...upstream, VDS_CONFIG_FILE: '/c' }, [], { '/c': text })).toEqual([mistake]);
  });

  it('are in their guide as the schema has them', () => {
    const guide = readGuide('proxy-settings');
    expect(unpadded(guide)).toContain(unpadded(settingTables(proxySettings, guide)));
    expect(guide).not.toContain('(not said yet)');
  });
});
