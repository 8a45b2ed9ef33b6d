import { arrow, box, type Figure, text } from './svg.ts';

/** The two conditions of a data call: a valid token and the owner's consent. Each ends and starts again in its own way. */
export function tokenLifeCycle(): Figure {
  const small = { size: 12, style: 'small', anchor: 'middle' } as const;
  const state = (x: number, y: number, title: string, below: string, style?: string) =>
    box(x, y, 170, 70, title, [below], style);
  return {
    width: 880,
    height: 330,
    alternative:
      'Two cycles. Token: without a token, data calls fail with missing-bearer-token at the proxy and 40002 at the API; a token request gives a valid access token; it expires or is rejected with code 4011, one refresh gives a new one, and the call is retried once; a second rejection means that the credentials are wrong. Consent: not shared, then the owner agrees and the vehicle shares data; stop data sharing or the owner ends it; calls then fail with 5006 or 4101, you delete stored data and ask the owner again. A data call needs both a valid token and a sharing vehicle.',
    caption:
      'A data call needs a valid access token and a vehicle whose owner agreed. They end independently of each other.',
    shapes: [
      text(12, 24, 'Access token', { bold: true, size: 15 }),
      state(10, 44, 'No token', 'missing-bearer-token'),
      state(310, 44, 'Valid', 'data calls succeed', 'box-strong'),
      state(640, 44, 'Expired', 'data calls: 4011'),
      arrow('180,79 310,79'),
      text(245, 70, 'token request', small),
      arrow('480,66 640,66'),
      text(560, 58, 'about an hour', small),
      arrow('640,94 480,94', 'arrow-back'),
      text(560, 111, 'one refresh, one retry', small),
      text(725, 134, 'second 4011: fix the credentials', { ...small, style: 'refuse-text' }),
      text(12, 184, 'Consent', { bold: true, size: 15 }),
      state(10, 204, 'Not shared', 'not in the list'),
      state(310, 204, 'Sharing', 'in the list, readable', 'box-strong'),
      state(640, 204, 'Withdrawn', 'data calls: 5006 or 4101'),
      arrow('180,239 310,239'),
      text(245, 230, 'owner agrees', small),
      arrow('480,239 640,239'),
      text(560, 230, 'stop, or the owner', small),
      arrow('725,274 725,306 95,306 95,274', 'arrow-back'),
      text(410, 299, 'delete stored data, ask the owner again', small),
    ],
  };
}
