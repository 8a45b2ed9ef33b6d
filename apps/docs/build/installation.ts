// Until the packages are published, commands that fetch them get a first tab with what works in a clone of the repository.
import { existsSync } from 'node:fs';
import { fenced } from './markdown.ts';

const repository = new URL('../../../', import.meta.url);
const programs = {
  cli: 'packages/cli/dist/main.js',
  collector: 'apps/collector/dist/main.js',
  proxy: 'apps/proxy/dist/node.js',
  sandbox: 'apps/sandbox/dist/node.js',
} as const;
/** Those that are installed to be typed by their name. */
const commands: Readonly<Record<string, { readonly name: string; readonly program: string }>> = {
  cli: { name: 'vds', program: programs.cli },
  collector: { name: 'vds-collector', program: programs.collector },
};
const isProgram = (name: string): name is keyof typeof programs => name in programs;
const node = 'node_modules/.bin/node';

/** Whether the packages are published: a release writes the changelog of the SDK. */
export const isPublished = () => existsSync(new URL('packages/client/CHANGELOG.md', repository));

/** One line of a block, as it works in the root of a clone that is built; `undefined` where it needs no package. */
function inClone(line: string): string | undefined {
  const [, program = '', args = ''] = /^npx @vehicle-data\/([a-z-]+)(.*)$/.exec(line) ?? [];
  if (isProgram(program)) return `${node} ${programs[program]}${args}`;
  const [, flags = '', names = ''] = /^npm install ((?:--[a-z-]+ )?)((?:@[a-z-]+\/[a-z-]+ ?)+)$/.exec(line) ?? [];
  const command = flags.startsWith('--global') && commands[names.replace('@vehicle-data/', '')];
  if (command) return `alias ${command.name}="$PWD/${node} $PWD/${command.program}"`;
  if (!names.startsWith('@vehicle-data/')) return undefined;
  return `# Save your program as packages/e2e/NAME.ts: the packages are there. Then run:\n# ${node} packages/e2e/NAME.ts`;
}

/** Blocks of shell that fetch packages of this project, with a tab for a clone before them. Tabs are remembered for the whole site. */
export function withCloneTabs(text: string, published = isPublished()): string {
  if (published) return text;
  return text.replaceAll(/^```sh\n([\s\S]*?)^```$/gm, (block, source: string) => {
    const lines = source.trimEnd().split('\n');
    if (!lines.some((line) => inClone(line) !== undefined)) return block;
    const here = lines.map((line) => inClone(line) ?? line).join('\n');
    const tabs = `${fenced('sh [In the clone]', here)}\n${fenced('sh [From npm, once published]', source)}`;
    return `::: code-group\n${tabs}\n:::`;
  });
}
