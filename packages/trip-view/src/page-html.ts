import { script, scriptHash, style, styleHash } from './generated/page-assets.js';
import type { PageConfig } from './page-config.js';

/**
 * The trip explorer as one HTML document. It is sealed: its content security policy forbids every script but its own and
 * every request, except for requests to its own origin where trips are read from there.
 *
 * @param config Title, time zone and where trips come from.
 * @example
 * const html = tripPageHtml({ title: 'My trips', source: { kind: 'embedded', records } });
 */
export function tripPageHtml({ title, zone, source, base }: PageConfig): string {
  const policy = [
    "default-src 'none'",
    `script-src ${scriptHash}`,
    `style-src ${styleHash}`,
    ...(source.kind === 'embedded' ? [] : ["connect-src 'self'"]),
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M1 11l3-6 3 8 3-10 2 6h3' fill='none' stroke='%233a56d4' stroke-width='2'/%3E%3C/svg%3E">
<style>${style}</style>
</head>
<body>
<noscript>This page draws trips with a script of its own. Allow scripts for it to see them; it makes no request to other places.</noscript>
<script type="application/json" id="config">${jsonForHtml({ title, zone, source, base })}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** JSON that cannot end the element it is in. */
function jsonForHtml(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
