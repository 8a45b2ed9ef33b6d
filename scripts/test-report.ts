// Vitest's report of a package, which `npm test` reads for its table at the end.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What is used of vitest's tests. */
interface Test {
  readonly fullName: string;
  result(): {
    readonly state: string;
    readonly errors?: readonly { readonly message: string }[] | undefined;
    /** What a test said when it skipped itself. */
    readonly note?: string | undefined;
  };
}
interface Module {
  readonly id: string;
  readonly moduleId: string;
  readonly children: { allTests(): Iterable<Test> };
  errors(): readonly { readonly message: string }[];
}

/** A line that says why tests of a file are skipped. */
const isReason =
  /^no browser|\bskipped(?: on\b|:)|\bnot (?:compared|ended|opened|run|tested|tried)\b|\bis missing\b|\bmissing \(/i;

const firstLine = (errors: readonly { readonly message: string }[] = []) => errors[0]?.message.split('\n')[0] ?? '';

/**
 * Seconds of the processor that this process and all that it has waited for took: fields 14 to 17 of proc(5), in hundredths. Undefined where
 * the system does not tell.
 */
function processorSeconds(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  // After the name of the program, which may hold spaces.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / 100;
}

/**
 * Writes `.cache/tests.json` of the package: what failed, and what was skipped with the reason that its file printed. A test that is skipped
 * without one fails the run.
 */
export class TestReport {
  readonly #root: string;
  /** By the id of the file that printed them. */
  readonly #reasons = new Map<string, Set<string>>();
  /** Whether vitest was asked for some tests by their names: the others are skipped for no reason of theirs. */
  #isFiltered = false;
  #report: object | undefined;

  /** @param root folder of the package */
  constructor(root = process.cwd()) {
    this.#root = root;
  }

  onInit({ config }: { readonly config: { readonly testNamePattern?: RegExp | undefined } }): void {
    this.#isFiltered = config.testNamePattern !== undefined;
  }

  onUserConsoleLog({ content, taskId = '' }: { readonly content: string; readonly taskId?: string | undefined }): void {
    for (const line of content.split('\n')) {
      if (!isReason.test(line)) continue;
      const ofFile = this.#reasons.get(taskId) ?? new Set();
      this.#reasons.set(taskId, ofFile.add(line.trim()));
    }
  }

  /** A module that files share prints its reason for the first of them alone: one without any has those of all. */
  #reasonOf({ id }: Module, note: string | undefined): string {
    const printed = this.#reasons.get(id) ?? [...this.#reasons.values()].flatMap((lines) => [...lines]);
    return note ?? [...new Set(printed)].join(' ');
  }

  onTestRunEnd(modules: readonly Module[], unhandled: readonly { readonly message: string }[]): void {
    const root = this.#root;
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const failed: { file: string; name: string; message: string }[] = [];
    const skipped: { file: string; name: string; reason: string }[] = [];
    for (const module of modules) {
      const file = relative(root, module.moduleId);
      // A file that fails before its tests: an import, or a hook.
      if (module.errors().length > 0) failed.push({ file, name: 'the file', message: firstLine(module.errors()) });
      for (const test of module.children.allTests()) {
        const { state, errors, note } = test.result();
        if (state === 'failed') failed.push({ file, name: test.fullName, message: firstLine(errors) });
        else if (state !== 'passed') skipped.push({ file, name: test.fullName, reason: this.#reasonOf(module, note) });
        if (state === 'passed' || state === 'failed') counts[state]++;
        else counts.skipped++;
      }
    }
    if (unhandled.length > 0)
      failed.push({ file: '', name: 'an error that no test handled', message: firstLine(unhandled) });
    for (const { file, name, reason } of this.#isFiltered ? [] : skipped) {
      if (reason !== '') continue;
      failed.push({ file, name, message: 'It is skipped, and its file prints no reason.' });
      console.error(`${file}: ${name}: it is skipped, and its file prints no reason`);
      process.exitCode = 1;
    }
    mkdirSync(join(root, '.cache'), { recursive: true });
    this.#report = { ...counts, failures: failed, skips: skipped };
    this.#write();
  }

  /** Adds the processor time of vitest, its workers and what they started, once they have ended. */
  addProcessorTime(): void {
    if (this.#report === undefined) return;
    this.#report = { ...this.#report, processorSeconds: processorSeconds() };
    this.#write();
  }

  #write(): void {
    writeFileSync(join(this.#root, '.cache', 'tests.json'), `${JSON.stringify(this.#report, null, 2)}\n`);
  }
}

const report = new TestReport();
process.once('exit', () => report.addProcessorTime());

/** The reporters of every package. */
export const reporters = ['default', report];

/** Values in the titles of tests are not cut off, so that a title stands in the report as it is written. */
export const wholeTitles = { taskTitleValueFormatTruncate: 0 };
