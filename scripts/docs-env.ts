import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SETTINGS } from '#lib/env';

const README = resolve(import.meta.dirname, '../README.md');
const ENV_EXAMPLE = resolve(import.meta.dirname, '../.env.example');
const MARKERS = /(<!-- settings -->\n)[^]*?(<!-- \/settings -->)/;

/** The README with its configuration table as the settings are now. */
export function withSettings(readme: string): string {
  if (!MARKERS.test(readme)) throw new Error('README.md needs the lines <!-- settings --> and <!-- /settings -->.');
  const rows = Object.entries(SETTINGS).map(
    ([name, { fallback, about }]) =>
      `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${about.replaceAll('|', '\\|')} |`,
  );
  const table = ['| Setting | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
  return readme.replace(MARKERS, (_, open: string, close: string) => `${open}\n${table}\n\n${close}`);
}

/** Every setting with what it means, commented out at its default. */
export const envExample = (): string =>
  Object.entries(SETTINGS)
    .map(([name, { fallback, about }]) => `# ${about}\n#${name}=${fallback}\n`)
    .join('\n');

export const readDocs = async () => ({
  readme: await readFile(README, 'utf8'),
  envExample: await readFile(ENV_EXAMPLE, 'utf8').catch(() => ''),
});

if (import.meta.main) {
  await writeFile(ENV_EXAMPLE, envExample());
  await writeFile(README, withSettings((await readDocs()).readme));
}
