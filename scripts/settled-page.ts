// Waits until a page in a browser stands still, so that a test looks at what a reader ends up seeing and never at a step on the way.

/** What is needed of a page of Playwright. */
interface EvaluatingPage {
  evaluate<T>(inPage: () => Promise<T>): Promise<T>;
}

/** Runs in the page. @returns What is wrong; nothing once it stands still. */
async function standStill(): Promise<string> {
  const mostFrames = 1800;
  // A sheet of its own: the policies of the pages forbid styles that are written into them.
  if (!document.adoptedStyleSheets.some((sheet) => Reflect.get(sheet, 'standsStill') === true)) {
    const still = Object.assign(new CSSStyleSheet(), { standsStill: true });
    const none = 'animation: none !important; transition: none !important; scroll-behavior: auto !important;';
    still.replaceSync(`*, *::before, *::after, *::backdrop { ${none} caret-color: transparent !important; }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
  }
  await document.fonts.ready;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  /** What is seen: where each visible element is, what it says, and how it is painted. */
  const look = () =>
    Array.from(document.body.querySelectorAll('*'), (element) => {
      if (!element.checkVisibility()) return '';
      const { x, y, width, height } = element.getBoundingClientRect();
      const { color, backgroundColor, opacity } = getComputedStyle(element);
      const text = element.childElementCount === 0 ? element.textContent : '';
      return [x, y, width, height, color, backgroundColor, opacity, text].join();
    });
  let before: readonly string[] = [];
  for (let frames = 0; frames < mostFrames; frames++) {
    await frame();
    const now = look();
    if (now.length === before.length && now.every((each, index) => each === before[index])) return '';
    before = now;
  }
  return `the page still changes after ${mostFrames} frames`;
}

/**
 * Waits until animations and transitions are off, fonts are loaded, and two frames in a row are equal. What the page waits for by itself,
 * such as a response, is for the test to wait for: by the element that comes of it.
 *
 * @throws Error if the page never stands still
 */
export async function settle(page: EvaluatingPage): Promise<void> {
  const problem = await page.evaluate(standStill);
  if (problem !== '') throw new Error(problem);
}
