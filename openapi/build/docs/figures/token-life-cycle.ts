import { arrow, box, type Figure, text } from './svg.ts';

/** The two conditions of a data call, a valid token and the owner's agreement, each with its own way to end and to begin again. */
export function tokenLifeCycle(): Figure {
  const size = { width: 170, height: 70 };
  const small = { size: 12, style: 'small', anchor: 'middle' } as const;
  return {
    width: 880,
    height: 330,
    alternative:
      'Two cycles side by side. Token: no token, then a token issuance call gives a valid access token; it expires or is refused with code 4011, one refresh gives a new one, and the call is repeated once; a second refusal means fixing the credentials. Consent: not shared, then the owner agrees and the vehicle shares data; stop data sharing or the owner ends it; calls then answer 5006 or 4101, held data is deleted, and the owner is asked again. A data call needs both a valid token and a sharing vehicle.',
    caption:
      'A data call needs both: a valid access token and a vehicle whose owner agreed. They end independently of each other.',
    shapes: [
      text({ x: 12, y: 24 }, 'Access token', { bold: true, size: 15 }),
      box({ x: 10, y: 44 }, size, 'No token', ['data calls: 40002']),
      box({ x: 310, y: 44 }, size, 'Valid', ['data calls pass'], 'box-strong'),
      box({ x: 640, y: 44 }, size, 'Expired', ['data calls: 4011']),
      arrow([
        { x: 180, y: 79 },
        { x: 310, y: 79 },
      ]),
      text({ x: 245, y: 70 }, 'token issuance', small),
      arrow([
        { x: 480, y: 66 },
        { x: 640, y: 66 },
      ]),
      text({ x: 560, y: 58 }, 'about an hour', small),
      arrow(
        [
          { x: 640, y: 94 },
          { x: 480, y: 94 },
        ],
        'arrow-back',
      ),
      text({ x: 560, y: 111 }, 'one refresh, repeat once', small),
      text({ x: 725, y: 134 }, 'second 4011: fix the credentials', { ...small, style: 'refuse-text' }),
      text({ x: 12, y: 184 }, 'Consent', { bold: true, size: 15 }),
      box({ x: 10, y: 204 }, size, 'Not shared', ['not in the list']),
      box({ x: 310, y: 204 }, size, 'Sharing', ['in the list, readable'], 'box-strong'),
      box({ x: 640, y: 204 }, size, 'Withdrawn', ['calls: 5006 or 4101']),
      arrow([
        { x: 180, y: 239 },
        { x: 310, y: 239 },
      ]),
      text({ x: 245, y: 230 }, 'owner agrees', small),
      arrow([
        { x: 480, y: 239 },
        { x: 640, y: 239 },
      ]),
      text({ x: 560, y: 230 }, 'stop, or the owner', small),
      arrow(
        [
          { x: 725, y: 274 },
          { x: 725, y: 306 },
          { x: 95, y: 306 },
          { x: 95, y: 274 },
        ],
        'arrow-back',
      ),
      text({ x: 410, y: 299 }, 'delete what you hold, ask the owner again', small),
    ],
  };
}
