import { test } from 'vitest';
import { accessToken, run, startApp, temporaryFolder } from './apps.ts';
import { expectPicture } from './pictures.ts';
import { writeVdsProgram } from './vds.ts';

const columns = 96;
const commands = [
  'vds vehicles list',
  'vds alias set home --number 1',
  'vds trips list home --from 2026-03-02 --to 2026-03-02 --zone Europe/Berlin',
  'vds trips show home --from 2026-03-02 --to 2026-03-02 --signals acceleration.longitudinal',
  'vds export --vehicle home --from 2026-03-01 --to 2026-03-31 --zone Europe/Berlin',
  'vds query "SELECT count(*) AS trips FROM driving_trips"',
];

test('the recording in the guide is what a terminal shows; UPDATE_DOCS=1 records it again', async () => {
  const { address } = await startApp('sandbox', {});
  const folder = await temporaryFolder();
  await writeVdsProgram(`${folder}/session.mjs`, commands, {}, true);
  const session = `stty cols ${columns} && exec '${process.execPath}' session.mjs`;
  const { stdout } = await run('script', ['-qefc', session, '/dev/null'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      TERM: 'xterm',
      VDS_BASE_URL: address,
      VDS_BRAND: 'brand_a',
      VDS_ACCESS_TOKEN: accessToken,
    },
  });
  await expectPicture('vds', drawSession(stdout.replaceAll(folder, '~')));
});

const [characterWidth, lineHeight, pad] = [8.4, 19, 16];
const secondsPerCommand = 1.5;
const esc = String.fromCharCode(27);
const control = new RegExp(`${esc}(?:[78]|\\[\\??[0-9;]*[A-Za-z])`, 'g');
const overwritten = new RegExp(`\\r|${esc}\\[(?:1G|2K)`);
const headings = `${esc}[1m`;

/** A session as SVG: each command with its output appears after the one before it; at once, where motion is not wanted. */
function drawSession(printed: string): string {
  const lines = printed.trimEnd().split(/\r?\n/).flatMap(shownOf);
  let step = -1;
  const rows = lines.map(({ text, isHeading }, index) => {
    if (text.startsWith('$ ')) step += 1;
    const style = [`s${step}`, ...(text.startsWith('$ ') ? ['typed'] : isHeading ? ['heading'] : [])].join(' ');
    // Braille is as wide as other characters only where the font says so.
    const width = (text.length * characterWidth).toFixed(1);
    const y = pad + (index + 1) * lineHeight - 5;
    return `<text class="${style}" x="${pad}" y="${y}" textLength="${width}" lengthAdjust="spacingAndGlyphs">${escapeXml(text)}</text>`;
  });
  const delays = commands.map((_, index) => `.s${index}{animation-delay:${index * secondsPerCommand}s}`).join('');
  const style = `text{font:14px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#171a24;white-space:pre;animation:appear .2s both}.typed{fill:#3a56d4}.heading{font-weight:700}rect{fill:#f6f7fb}@media (prefers-color-scheme:dark){text{fill:#f3f5fb}.typed{fill:#a5b4ff}rect{fill:#12141c}}@keyframes appear{from{opacity:0}}${delays}@media (prefers-reduced-motion:reduce){text{animation:none}}`;
  const [width, height] = [Math.ceil(columns * characterWidth) + 2 * pad, lines.length * lineHeight + 2 * pad];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A session with vds"><style>${style}</style><rect width="100%" height="100%" rx="10"/>
${rows.filter((row) => !row.includes('textLength="0.0"')).join('\n')}
</svg>
`;
}

/** What is left of a line on the screen, wrapped at the width of the terminal. */
function shownOf(line: string): { text: string; isHeading: boolean }[] {
  // A progress bar writes over itself: from the first column on, or the whole line.
  const last = line.split(overwritten).at(-1) ?? '';
  const text = last.replaceAll(control, '').trimEnd();
  const pieces = text.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? [''];
  return pieces.map((piece) => ({ text: piece, isHeading: last.includes(headings) }));
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
