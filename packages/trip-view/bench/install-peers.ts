import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.cache/peers', import.meta.url));

/** Installs the charts that the page is measured against, outside the workspace, and returns their browser bundles. */
export function peerScripts(): Readonly<Record<'echarts' | 'chartjs', string>> {
  const manifest = fileURLToPath(new URL('peers/package.json', import.meta.url));
  mkdirSync(folder, { recursive: true });
  cpSync(manifest, join(folder, 'package.json'));
  if (!existsSync(join(folder, 'node_modules')))
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'], {
      cwd: folder,
      stdio: 'inherit',
    });
  const read = (path: string) => readFileSync(join(folder, 'node_modules', path), 'utf8');
  return { echarts: read('echarts/dist/echarts.min.js'), chartjs: read('chart.js/dist/chart.umd.min.js') };
}
