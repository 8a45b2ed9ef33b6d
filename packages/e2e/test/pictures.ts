import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { repository } from './apps.ts';

/** A picture of a part of a web page. It has to be well-formed XML. */
export const pictureOf = (
  html: string,
) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 660 200" width="660" height="200">
<style>
body { margin: 0; padding: 4px 24px; font: 15px system-ui, sans-serif; color: #171a24 }
rect { fill: #fff }
@media (prefers-color-scheme: dark) { body { color: #f3f5fb } rect { fill: #1b1b1f } }
</style>
<rect width="100%" height="100%"/>
<foreignObject width="660" height="200">
<body xmlns="http://www.w3.org/1999/xhtml">
${html}
</body>
</foreignObject>
</svg>
`;

/** Compares a picture with the one that the docs show, or puts it there with UPDATE_DOCS=1. */
export async function expectPicture(name: string, picture: string): Promise<void> {
  const shown = `${repository}/apps/docs/pictures/${name}.svg`;
  if (process.env['UPDATE_DOCS'] === '1') await writeFile(shown, picture);
  expect(picture, name).toBe(await readFile(shown, 'utf8'));
}
