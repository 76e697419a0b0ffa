import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright';
import { StartError } from '#lib/start-error';

/** Where systems have it; first without a window that nobody sees, which takes a fifth of the time off. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** A browser of the system's, when CHROMIUM names one or there is one in the usual place; else Playwright's own is meant. */
export const systemChromium = (): string | undefined => process.env.CHROMIUM ?? PLACES.find(path => existsSync(path));

const isThere = () => existsSync(chromium.executablePath()) || existsSync(systemChromium() ?? '');

const apt = (...args: string[]) => [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), 'apt-get', ...args];

const WITHOUT_WINDOW = apt('install', '-y', '--no-install-recommends', 'chromium-headless-shell');
const INSTALLERS: string[][] = [
  ['npx', 'playwright', 'install', 'chromium'],
  apt('update'),
  WITHOUT_WINDOW,
  apt('install', '-y', '--no-install-recommends', 'chromium'),
];

function install([command, ...args]: string[]): void {
  console.log(`Installing Chromium for the browser tests: ${command} ${args.join(' ')}`);
  spawnSync(command!, args, { stdio: 'inherit', timeout: 600_000 });
}

/** Finds a Chromium for the browser tests, or installs one. */
export function ensureChromium(): void {
  if (process.env.CHROMIUM && !existsSync(process.env.CHROMIUM))
    throw new StartError(`CHROMIUM is ${process.env.CHROMIUM}, which does not exist.`);
  // half the processor time: worth a download where tests are all that the machine does, and no loss where it cannot be had
  if (process.env.CI && systemChromium() && systemChromium() !== PLACES[0] && !process.env.CHROMIUM)
    for (const command of [apt('update'), WITHOUT_WINDOW]) install(command);
  for (const command of INSTALLERS) {
    if (isThere()) return;
    install(command);
  }
  if (!isThere())
    throw new StartError('The browser tests need Chromium. Install it, or set CHROMIUM to the path of its binary.');
}
