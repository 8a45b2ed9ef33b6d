// Measures whether the look-up of an API key takes longer the more of a guessed key is right. Guesses with different numbers of right
// characters take turns, so that whatever slows the machine down slows all of them.
import { hash } from 'node:crypto';
import { ApiKeys } from '../dist/callers/api-keys.js';
import { median } from './medians.ts';

const random = () =>
  Array.from({ length: 43 }, () => 'abcdefghijklmnopqrstuvwxyz'[Math.floor(Math.random() * 26)]).join('');
const key = `vds_abcdefghij_${random()}`;
const keys = new ApiKeys((text) => hash('sha256', text, 'hex'), false);
const restrictions = {
  name: '',
  created: '2026-01-01T00:00:00.000Z',
  expires: null,
  brands: null,
  operations: null,
  rate: null,
};
keys.use([{ id: 'abcdefghij', hash: hash('sha256', key, 'hex'), ...restrictions }]);

const rounds = 400;
const guessesOfRound = 500;
const rights = [0, 11, 22, 33, 42];

/** As many different guesses for every number of right characters, each a text of its own, as one that came from a socket is. */
function guesses(right: number): string[] {
  const begin = key.slice(0, key.length - 43 + right);
  const different = Array.from({ length: 20 }, () => `${begin}${random()}`.slice(0, key.length));
  return Array.from({ length: guessesOfRound }, (_, index) =>
    Buffer.from(different[index % different.length] ?? '').toString('latin1'),
  );
}

/** Time for one look-up, in nanoseconds. */
function measure(list: readonly string[]): number {
  let sent = '';
  const incoming = { method: '', target: '', requestId: '', header: () => sent };
  const startMs = performance.now();
  for (const guess of list) {
    sent = guess;
    if (keys.recognise(incoming) !== null && guess !== key) throw new Error('a wrong key was recognised');
  }
  return ((performance.now() - startMs) * 1e6) / list.length;
}

const times = new Map<number, number[]>(rights.map((right) => [right, []]));
for (let round = 0; round < rounds + 50; round++) {
  for (let turn = 0; turn < rights.length; turn++) {
    const right = rights[(turn + round) % rights.length] ?? 0;
    const time = measure(guesses(right));
    // The first rounds warm up.
    if (round >= 50) times.get(right)?.push(time);
  }
}
console.log('right characters of 43 | median ns a look-up | middle half');
for (const [right, list] of times) {
  const sorted = [...list].sort((a, b) => a - b);
  const quarter = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
  console.log(
    `${String(right).padStart(22)} | ${median(list).toFixed(0).padStart(19)} | ${quarter(0.25)} to ${quarter(0.75)}`,
  );
}
