import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright';
import { StartError } from '#lib/start-error';

/** Usual paths of a system's Chromium; the headless shell comes first, as it saves a fifth of the time. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** Returns the browser of CHROMIUM or of a usual path; undefined means the one that Playwright installs. */
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

/** Makes sure that a Chromium for the browser tests is installed. Throws a `StartError` when none can be installed. */
export function ensureChromium(): void {
  if (process.env.CHROMIUM && !existsSync(process.env.CHROMIUM))
    throw new StartError(`CHROMIUM is ${process.env.CHROMIUM}, which does not exist.`);
  // the headless shell takes half the processor time: in CI it is worth a download, and a failed download does no harm
  if (process.env.CI && systemChromium() && systemChromium() !== PLACES[0] && !process.env.CHROMIUM)
    for (const command of [apt('update'), WITHOUT_WINDOW]) install(command);
  for (const command of INSTALLERS) {
    if (isThere()) return;
    install(command);
  }
  if (!isThere())
    throw new StartError('The browser tests need Chromium. Install it, or set CHROMIUM to the path of its binary.');
}
