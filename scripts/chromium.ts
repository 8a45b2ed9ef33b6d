import { existsSync } from 'node:fs';

/**
 * Debian's Chromium, to look at pages with; no browser is downloaded. Of its two packages, the one without windows is taken where it is there:
 * the same engine starts and shows a page in two thirds of the processor time.
 */
export const executablePath = existsSync('/usr/bin/chromium-headless-shell')
  ? '/usr/bin/chromium-headless-shell'
  : '/usr/bin/chromium';
