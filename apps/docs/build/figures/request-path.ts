import { arrow, box, type Figure, rectangle, text } from './svg.ts';

const checks = [
  '1  the bytes are one valid request',
  '2  the path is an operation',
  '3  the client is authenticated',
  '4  headers, path and query are valid',
  '5  no limit is exceeded',
];
const back = ['6  allowed headers only', '7  the body streams unchanged', '8  schema violations are reported'];

/** How a request travels from the application through the proxy to the API, and back. */
export function requestPath(): Figure {
  const left = 262;
  const small = { anchor: 'middle', size: 12, style: 'small' } as const;
  return {
    width: 880,
    height: 350,
    alternative:
      'A request goes from the application to the proxy. The proxy checks in order that the bytes are one valid request, that the path is an operation, that the client is authenticated, that headers, path and query are valid, and that no limit is exceeded. A failed check returns the error envelope at once and nothing reaches the API. Then the proxy builds a new request from the checked values and sends it to the API. The response comes back with allowed headers only, its body streams unchanged, and violations of the contract are reported.',
    caption:
      'The proxy builds the upstream request from checked values and never copies it. Errors of the API pass through unchanged.',
    shapes: [
      box(10, 110, 150, 92, 'Application', ['SDK, curl,', 'any HTTP client']),
      rectangle(240, 14, 370, 322, 'box-strong', 12),
      text(left, 44, 'Proxy', { size: 15, bold: true }),
      ...checks.map((check, index) => text(left, 74 + index * 22, check)),
      ...back.map((step, index) => text(left, 256 + index * 22, step)),
      text(left, 200, 'build the upstream request', { bold: true }),
      box(720, 110, 150, 92, 'API', ['holds consent', 'and vehicle data']),
      arrow('160,132 240,132'),
      arrow('610,132 720,132'),
      arrow('795,202 795,278 610,278', 'arrow-back'),
      arrow('240,278 110,278 110,202', 'arrow-back'),
      arrow('240,70 60,70 60,110', 'refuse'),
      text(66, 58, 'rejected: error envelope', { style: 'refuse-text', size: 12 }),
      text(665, 122, 'new request', small),
      text(700, 296, 'response', small),
      text(200, 122, 'request', small),
      text(176, 296, 'response', small),
    ],
  };
}
