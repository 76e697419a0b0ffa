import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright';
import { StartError } from '#lib/process/start-error';

/** Where systems have it; first without a window that nobody sees, which takes a fifth of the time off. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** A browser of the system's, when CHROMIUM names one or there is one in the usual place; else Playwright's own is meant. */
export const systemChromium = (): string | undefined => process.env.CHROMIUM ?? PLACES.find(path => existsSync(path));

const isThere = () => existsSync(chromium.executablePath()) || existsSync(systemChromium() ?? '');

const apt = (...args: string[]) => [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), 'apt-get', ...args];

const INSTALLERS: string[][] = [
  ['npx', 'playwright', 'install', 'chromium'],
  apt('update'),
  apt('install', '-y', '--no-install-recommends', 'chromium-headless-shell'),
  apt('install', '-y', '--no-install-recommends', 'chromium'),
];

/** Finds a Chromium for the browser tests, or installs one. */
export function ensureChromium(): void {
  if (process.env.CHROMIUM && !existsSync(process.env.CHROMIUM))
    throw new StartError(`CHROMIUM is ${process.env.CHROMIUM}, which does not exist.`);
  for (const [command, ...args] of INSTALLERS) {
    if (isThere()) return;
    console.log(`Installing Chromium for the browser tests: ${command} ${args.join(' ')}`);
    spawnSync(command!, args, { stdio: 'inherit', timeout: 600_000 });
  }
  if (!isThere())
    throw new StartError('The browser tests need Chromium. Install it, or set CHROMIUM to the path of its binary.');
}
