// What `npm run dev` does on a change: builds the contract and what is made from it, where the change asks for it, and starts the apps
// that load the changed files again.
import { existsSync, watch } from 'node:fs';

/**
 * What is made from sources, each after those it needs. `from` are the folders whose files it is made from.
 * What no app needs to respond, `rest`, is made once they do.
 * @typedef {{ folder: string, from: readonly string[], needs: readonly string[], command: readonly string[],
 *   rest?: readonly (readonly string[])[] }} Step
 */
// Generators read the sources of the contract and of the packages that they bundle: these are made first, and compiled later.
const generate = ['node', '--import', '../../scripts/from-sources.js', 'build/generate.ts'];
/** @type {readonly Step[]} */
const steps = [
  {
    folder: 'openapi',
    from: [
      ...['openapi.yaml', 'overlay.yaml', 'errors.yaml', 'vehicle-data.vspec'],
      ...['paths', 'components', 'webhooks', 'src', 'build'],
    ],
    command: ['node', 'build/main.ts', '--for-requests'],
    rest: [['node', 'build/main.ts', '--rest']],
    needs: [],
  },
  // The rest takes up the types, which the contract has late.
  { folder: 'packages/validators', from: ['build'], command: generate, rest: [generate], needs: ['openapi'] },
  // The compiled kit is copied into packages; the apps load its sources.
  { folder: 'packages/kit', from: ['src'], command: ['tsc', '-p', 'tsconfig.build.json'], needs: [] },
  {
    folder: 'packages/client',
    from: ['build', 'src'],
    command: generate,
    rest: [generate, ['tsc', '-p', 'tsconfig.build.json']],
    needs: ['openapi'],
  },
  // The page is bundled from the sources of the client.
  {
    folder: 'packages/trip-view',
    from: ['build', 'src'],
    command: ['sh', '-c', `node ../kit/build/copy-into.ts && ${generate.join(' ')}`],
    needs: ['packages/client', 'packages/kit'],
  },
  { folder: 'apps/sandbox', from: ['build'], command: generate, needs: ['openapi'] },
];

/** The folders whose sources an app loads. */
const loaded = {
  sandbox: [
    ...['openapi', 'packages/validators', 'packages/client', 'packages/archive', 'packages/kit', 'packages/trip-view'],
    'apps/sandbox',
  ],
  proxy: ['openapi', 'packages/validators', 'packages/kit', 'apps/proxy'],
};

/** An editor saves a file in several steps, and git changes many at once. */
const settledAfterMs = 50;
/** Who edits a contract saves it again soon. */
const restAfterMs = 3000;

const secondsSince = (/** @type {number} */ startedMs) => ((performance.now() - startedMs) / 1000).toFixed(1);

/** @param {string} path */
const isMade = (path) => /(?:^|\/)(?:dist|generated|node_modules|\.[^/]+)(?:\/|$)/.test(path);

/**
 * Whether a file is under one of the places of a folder.
 * @param {string} file
 * @param {string} folder
 * @param {readonly string[]} places
 */
const isIn = (file, folder, places) =>
  places.some((place) => file === `${folder}/${place}` || file.startsWith(`${folder}/${place}/`));

/**
 * The steps to run and the apps to start after a change of these files, named from the root of the workspace.
 * @param {readonly string[]} files
 */
export function afterChangeOf(files) {
  /** @type {Step[]} */
  const due = [];
  for (const step of steps) {
    const isDue = due.some(({ folder }) => step.needs.includes(folder));
    if (isDue || files.some((file) => isIn(file, step.folder, step.from))) due.push(step);
  }
  const apps = /** @type {const} */ (['sandbox', 'proxy']).filter((app) =>
    loaded[app].some(
      (folder) => due.some((step) => step.folder === folder) || files.some((file) => isIn(file, folder, ['src'])),
    ),
  );
  return { steps: due, apps };
}

/**
 * Watches the sources of the workspace; a change during a rebuild is looked at after it.
 * @param {string} root
 * @param {(folder: string, command: readonly string[], signal?: AbortSignal) => Promise<void>} runStep
 * @param {(app: 'sandbox' | 'proxy') => Promise<void>} restart
 */
export function watchSources(root, runStep, restart) {
  /** @type {Set<string>} */
  const changed = new Set();
  let isBusy = false;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** What was left out so far. @type {Set<Step>} */
  const unmade = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  let restTimer;
  /** What is made when nobody waits ends when somebody does. @type {AbortController | undefined} */
  let restControl;

  const settle = async () => {
    if (isBusy) return;
    isBusy = true;
    while (changed.size > 0) {
      const startedMs = performance.now();
      const files = [...changed];
      changed.clear();
      const { steps: due, apps } = afterChangeOf(files);
      if (due.length + apps.length === 0) continue;
      console.log(`Changed: ${files.join(', ')}`);
      try {
        /** @type {Map<string, Promise<void>>} */
        const done = new Map();
        for (const step of due) {
          const needed = step.needs.flatMap((folder) => done.get(folder) ?? []);
          done.set(
            step.folder,
            Promise.all(needed).then(() => runStep(step.folder, step.command)),
          );
        }
        // An app starts as soon as what it loads is made.
        const served = apps.map(async (app) => {
          await Promise.all(loaded[app].flatMap((folder) => done.get(folder) ?? []));
          await restart(app);
          console.log(`Serving it: ${app} (${secondsSince(startedMs)} s)`);
        });
        // Every step ends before the next round, a failed one as well.
        const results = await Promise.allSettled([...done.values(), ...served]);
        const failed = results.find((result) => result.status === 'rejected');
        if (failed !== undefined) throw failed.reason;
        for (const step of due) if (step.rest) unmade.add(step);
      } catch (error) {
        console.error(error instanceof Error ? error.message : error);
        console.error('Not served. The next change tries again.');
      }
    }
    isBusy = false;
    restTimer = setTimeout(makeRest, restAfterMs);
  };

  /** Makes what was left out, when nobody waits for a request. */
  const makeRest = async () => {
    if (isBusy || unmade.size === 0) return;
    isBusy = true;
    const startedMs = performance.now();
    restControl = new AbortController();
    const { signal } = restControl;
    try {
      for (const step of unmade) {
        for (const command of step.rest ?? []) await runStep(step.folder, command, signal);
        unmade.delete(step);
      }
      console.log(`The rest is made: types, YAML (${secondsSince(startedMs)} s)`);
    } catch (error) {
      if (!signal.aborted) console.error(error instanceof Error ? error.message : error);
    }
    isBusy = false;
    if (changed.size > 0) await settle();
  };

  const folders = new Set(Object.values(loaded).flat());
  for (const folder of folders) {
    // The folders alone, not the packages that are installed beside them.
    for (const place of ['.', 'src', 'build', 'paths', 'components', 'webhooks']) {
      const path = place === '.' ? folder : `${folder}/${place}`;
      if (!existsSync(`${root}${path}`)) continue;
      watch(`${root}${path}`, { recursive: place !== '.' }, (_event, name) => {
        if (name === null || isMade(name)) return;
        changed.add(`${path}/${name}`);
        clearTimeout(timer);
        clearTimeout(restTimer);
        restControl?.abort();
        timer = setTimeout(settle, settledAfterMs);
      });
    }
  }
}
