import { arrow, box, type Figure, text } from './svg.ts';

/** How a request travels from the caller through the proxy to the service, and back. */
export function requestPath(): Figure {
  const checks = [
    '1  the bytes are one clear request',
    '2  the path is an operation',
    '3  the caller is known',
    '4  headers, path and query are valid',
    '5  limits are not used up',
  ];
  const back = ['6  headers by allowlist', '7  bytes stream as they came', '8  deviations are reported'];
  const left = 262;
  return {
    width: 880,
    height: 350,
    alternative:
      'A request goes from the application to the proxy. The proxy checks in order that the bytes are one clear request, that the path is an operation, that the caller is known, that headers, path and query are valid, and that limits are not used up; a failed check is answered at once with the error envelope and nothing reaches the service. Then the proxy builds a new request from the checked values and sends it to the service. The answer comes back through an allowlist of headers, its bytes stream unchanged, and deviations from the contract are reported.',
    caption:
      'How a request travels. The request to the service is built from checked values, never copied; an error of the service passes through unchanged.',
    shapes: [
      box({ x: 10, y: 110 }, { width: 150, height: 92 }, 'Application', ['SDK, curl,', 'any HTTP client']),
      `<rect x="240" y="14" width="370" height="322" rx="12" class="vds-box-strong"/>`,
      text({ x: left, y: 44 }, 'Proxy', { size: 15, bold: true }),
      ...checks.map((check, index) => text({ x: left, y: 74 + index * 22 }, check)),
      ...back.map((step, index) => text({ x: left, y: 256 + index * 22 }, step)),
      text({ x: left, y: 200 }, 'build the request from checked values', { bold: true }),
      box({ x: 720, y: 110 }, { width: 150, height: 92 }, 'Service', ['holds consent', 'and vehicle data']),
      arrow([
        { x: 160, y: 132 },
        { x: 240, y: 132 },
      ]),
      arrow([
        { x: 610, y: 132 },
        { x: 720, y: 132 },
      ]),
      arrow(
        [
          { x: 795, y: 202 },
          { x: 795, y: 278 },
          { x: 610, y: 278 },
        ],
        'arrow-back',
      ),
      arrow(
        [
          { x: 240, y: 278 },
          { x: 110, y: 278 },
          { x: 110, y: 202 },
        ],
        'arrow-back',
      ),
      arrow(
        [
          { x: 240, y: 70 },
          { x: 60, y: 70 },
          { x: 60, y: 110 },
        ],
        'refuse',
      ),
      text({ x: 66, y: 58 }, 'refused: error envelope', { style: 'refuse-text', size: 12 }),
      text({ x: 665, y: 122 }, 'new request', { anchor: 'middle', size: 12, style: 'small' }),
      text({ x: 700, y: 296 }, 'answer', { anchor: 'middle', size: 12, style: 'small' }),
      text({ x: 200, y: 122 }, 'request', { anchor: 'middle', size: 12, style: 'small' }),
      text({ x: 176, y: 296 }, 'answer', { anchor: 'middle', size: 12, style: 'small' }),
    ],
  };
}
