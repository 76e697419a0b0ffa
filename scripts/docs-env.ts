import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';
import { SETTINGS } from '#lib/env';

const README = resolve(import.meta.dirname, '../README.md');
const ENV_EXAMPLE = resolve(import.meta.dirname, '../.env.example');
const MARKERS = /(<!-- settings:begin -->\n)[^]*?(<!-- settings:end -->)/;

/** Returns the meaning of a setting, with its allowed values where they are an enumeration. */
const meaning = ({ rule, about }: { rule: z.ZodType; about: string }): string =>
  rule instanceof z.ZodEnum ? `${about} One of ${rule.options.join(', ')}.` : about;

/** Returns the README with its configuration table generated from the current settings. */
export async function withSettings(readme: string): Promise<string> {
  if (!MARKERS.test(readme))
    throw new Error('README.md needs the lines <!-- settings:begin --> and <!-- settings:end -->.');
  const rows = Object.entries(SETTINGS).map(
    ([name, setting]) =>
      `| \`${name}\` | ${setting.fallback && `\`${setting.fallback}\``} | ${meaning(setting).replaceAll('|', '\\|')} |`,
  );
  const table = ['| Setting | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
  const filled = readme.replace(MARKERS, (_, open: string, close: string) => `${open}\n${table}\n\n${close}`);
  return format(filled, { ...(await resolveConfig(README)), parser: 'markdown' });
}

/** Returns .env.example: every setting with its meaning, commented out at its default. */
export const envExample = (): string =>
  [
    '# Every setting. Copy this file to .env and uncomment what you change. Environment variables win over .env.\n' +
      '# Put a value that contains # in quotes.\n',
    ...Object.entries(SETTINGS).map(([name, setting]) => `# ${meaning(setting)}\n#${name}=${setting.fallback}\n`),
  ].join('\n');

export const readDocs = async () => ({
  readme: await readFile(README, 'utf8'),
  envExample: await readFile(ENV_EXAMPLE, 'utf8').catch(() => ''),
});

if (import.meta.main) {
  await writeFile(ENV_EXAMPLE, envExample());
  await writeFile(README, await withSettings((await readDocs()).readme));
}
