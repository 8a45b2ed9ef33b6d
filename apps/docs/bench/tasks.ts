// Fifteen things that a stranger wants to know, looked for as a person does: once by a question to the search, once by the menu.
// Prints clicks (a key that opens the search or a result counts as one), seconds and the page that was reached. A machine reads in no time:
// seconds are those of opening, typing (60 ms a key), finding and loading.
// `node bench/tasks.ts [--dist folder]`
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { serveSite, startBrowser } from './site.ts';

const { values } = parseArgs({
  options: { dist: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) } },
});

/** A task with the question that is typed, the pages that can answer it, and what such a page says. */
interface Task {
  readonly name: string;
  readonly question: string;
  /** Pages, the best one first. */
  readonly pages: readonly string[];
  readonly says: RegExp;
}

const tasks: readonly Task[] = [
  {
    name: 'get a token',
    question: 'how do I get a token',
    pages: ['guides/authentication'],
    says: /curl[\s\S]*oauth\/token/,
  },
  { name: 'why 4002', question: 'why 4002', pages: ['errors/4002'], says: /violates? a rule/ },
  {
    name: 'behind nginx',
    question: 'run behind nginx',
    pages: ['guides/proxy-deploy', 'guides/proxy'],
    says: /proxy_next_upstream/,
  },
  {
    name: 'CSV',
    question: 'export to csv',
    pages: [
      'guides/trips',
      'guides/sdk-trips',
      'guides/nightly-export',
      'guides/archive',
      'guides/cli-archive',
      'guides/faq',
    ],
    says: /toCsv|CSV/,
  },
  {
    name: 'rate limit',
    question: 'rate limit',
    pages: ['guides/proxy-limits', 'guides/proxy', 'errors/rate-limited', 'errors/429'],
    says: /limit/,
  },
  { name: 'what ISLA is', question: 'what does isla mean', pages: ['guides/glossary'], says: /Intelligent Speed/ },
  {
    name: "delete a user's data",
    question: "delete a user's data",
    pages: ['guides/privacy', 'guides/consent'],
    says: /[Dd]elete/,
  },
  {
    name: 'Cloudflare Workers',
    question: 'deploy on cloudflare workers',
    pages: ['guides/proxy-deploy', 'guides/proxy'],
    says: /kv_namespaces|Wrangler|wrangler/,
  },
  {
    name: 'mock the API',
    question: 'mock the api in tests',
    pages: ['guides/testing-in-ci', 'guides/sandbox-tests', 'guides/sandbox'],
    says: /createSandbox|sandbox/,
  },
  {
    name: 'Python',
    question: 'can I call this from python',
    pages: ['guides/other-languages'],
    says: /[Pp]ython/,
  },
  {
    name: 'webhooks',
    question: 'is there a webhook',
    pages: ['guides/events', 'guides/faq', 'guides/not-specified'],
    says: /webhook/i,
  },
  {
    name: 'paging',
    question: 'pagination',
    pages: ['guides/faq', 'guides/date-ranges', 'guides/sdk-trips'],
    says: /paging|longer range|any range/,
  },
  {
    name: 'CORS',
    question: 'cors',
    pages: ['guides/proxy-clients', 'guides/faq', 'guides/proxy-settings', 'guides/proxy'],
    says: /VDS_CORS_ORIGINS/,
  },
  {
    name: 'Docker',
    question: 'is there a docker image',
    pages: ['guides/proxy-deploy', 'guides/testing-in-ci', 'guides/proxy'],
    says: /Dockerfile|docker|image/,
  },
  {
    name: 'look at a trip',
    question: 'trip explorer',
    pages: ['guides/trip-view', 'trip', 'guides/sandbox'],
    says: /explorer|week of trips/,
  },
];

interface Way {
  readonly clicks: number;
  readonly seconds: number;
  readonly page: string;
}

const pageOf = (address: string, site: string) => address.slice(site.length).replace(/\/?(?:[?#].*)?$/, '');

/** Whether the page that is open says what the task asks for, once it is there. */
const isAnswered = (page: Page, { says }: Task) =>
  page
    .locator('main', { hasText: says })
    .first()
    .waitFor({ timeout: 5000 })
    .then(
      () => true,
      () => false,
    );

/** Opens the home page, ready for its reader. */
async function openHome(page: Page, site: string): Promise<number> {
  await page.goto(site);
  await page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}));
  return performance.now();
}

/** Types the question and takes the first of three results that is right. */
async function bySearch(page: Page, site: string, task: Task): Promise<Way | undefined> {
  const start = await openHome(page, site);
  await page.locator('.DocSearch-Button').first().click();
  await page.getByRole('searchbox').pressSequentially(task.question, { delay: 60 });
  // The list is drawn again a fifth of a second after the last key.
  await page.waitForTimeout(400);
  const links = await page
    .locator('.result')
    .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href ?? ''));
  const index = links.slice(0, 3).findIndex((link) => task.pages.includes(pageOf(link, site)));
  if (index < 0) return undefined;
  await page.locator('.result').nth(index).click();
  const wanted = pageOf(links[index] ?? '', site);
  await page.waitForURL((url) => pageOf(url.href, site) === wanted);
  await page.locator('main h1').first().waitFor();
  if (!(await isAnswered(page, task))) return undefined;
  return { clicks: 2, seconds: (performance.now() - start) / 1000, page: `${wanted} (${index + 1}.)` };
}

/** Clicks through the menu: from the home page, or from the guides. */
async function byMenu(page: Page, site: string, task: Task): Promise<Way | undefined> {
  for (const wanted of task.pages) {
    const start = await openHome(page, site);
    const visibleLink = () => page.locator(`a[href$="/docs/${wanted}/"]:visible`).first();
    let clicks = 1;
    if ((await visibleLink().count()) === 0) {
      await page.locator('.VPNavBarMenu').getByRole('link', { name: 'Guides' }).click();
      await page.locator('main h1').first().waitFor();
      await page.locator('.VPSidebar a').first().waitFor();
      clicks = 2;
    }
    if ((await visibleLink().count()) === 0) {
      const parent = page.locator(`.VPSidebar a[href$="/docs/guides/${wanted.split('/')[0]}/"]`).first();
      if ((await parent.count()) === 0) continue;
      await parent.click();
      await visibleLink()
        .waitFor({ timeout: 5000 })
        .catch(() => undefined);
      clicks = 3;
      if ((await visibleLink().count()) === 0) continue;
    }
    await visibleLink().click();
    await page.waitForURL((url) => pageOf(url.href, site) === wanted);
    await page.locator('main h1, h1').first().waitFor();
    if (await isAnswered(page, task)) return { clicks, seconds: (performance.now() - start) / 1000, page: wanted };
  }
  return undefined;
}

const { site, close } = await serveSite(values.dist);
const browser = await startBrowser();
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
const shown = (way: Way | undefined) =>
  way ? [`${way.clicks}`, way.seconds.toFixed(1), way.page] : ['-', '-', 'not found'];
console.log('| Task | Search: clicks | Seconds | Page (place) | Menu: clicks | Seconds | Page |');
console.log('| --- | --: | --: | --- | --: | --: | --- |');
for (const task of tasks)
  console.log(
    `| ${[task.name, ...shown(await bySearch(page, site, task)), ...shown(await byMenu(page, site, task))].join(' | ')} |`,
  );
await browser.close();
close();
