import { readFile } from 'node:fs/promises';
import { repository } from './apps.ts';

/** A code block of a Markdown file that a reader would run. */
export interface Sample {
  /** File and line, for example `README.md:12`. */
  readonly place: string;
  readonly language: 'sh' | 'ts' | 'python';
  readonly source: string;
  /** The blocks after it and after those that continue it, where they show what it prints. */
  readonly outputs: readonly (Output | undefined)[];
}

export interface Output {
  readonly language: 'text' | 'json';
  readonly text: string;
}

interface Block {
  readonly place: string;
  readonly info: string;
  readonly text: string;
  /** Whether only blank lines stand between this block and the one before it. */
  readonly followsAtOnce: boolean;
}

function blocksOf(file: string, markdown: string): readonly Block[] {
  let end = 0;
  return [...markdown.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [whole, info = '', text = ''] = match;
    const line = markdown.slice(0, match.index).split('\n').length;
    const followsAtOnce = end > 0 && markdown.slice(end, match.index).trim() === '';
    end = match.index + whole.length;
    return { place: `${file}:${line}`, info: info.trim(), text, followsAtOnce };
  });
}

/** Printed between what a block and the block that continues it print. */
export const separator = '\u0000\n';

/** The samples of a file. A TypeScript block marked `continues` runs together with the one before it. */
export async function samplesOf(file: string): Promise<readonly Sample[]> {
  const blocks = blocksOf(file, await readFile(`${repository}/${file}`, 'utf8'));
  const samples: Sample[] = [];
  for (const [index, { place, info, text }] of blocks.entries()) {
    const language = (['sh', 'ts', 'python'] as const).find((known) => info.split(' ')[0] === known);
    if (language === undefined) continue;
    const next = blocks[index + 1];
    const shown = (['text', 'json'] as const).find((known) => next?.followsAtOnce && next.info === known);
    const output = next && shown ? { language: shown, text: next.text } : undefined;
    const before = samples.at(-1);
    if (!info.endsWith(' continues')) samples.push({ place, language, source: text, outputs: [output] });
    else if (before?.language !== language) throw new Error(`${place} continues a block that is not there`);
    else
      samples[samples.length - 1] = {
        ...before,
        source: `${before.source}console.log('\\0');\n${text}`,
        outputs: [...before.outputs, output],
      };
  }
  return samples;
}
