import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import subsetFont from 'subset-font';

const { resolve: fileOf } = createRequire(import.meta.url);
const FOLDER = resolve(import.meta.dirname, '../.fonts');
/** Fonts with the weights that pages use; Fraunces keeps its optical size axis for titles. */
const FONTS = [
  {
    name: 'fraunces',
    source: '@fontsource-variable/fraunces/files/fraunces-latin-opsz-normal.woff2',
    weight: 420,
  },
  {
    name: 'inter',
    source: '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
    weight: { min: 400, max: 700 },
  },
];
/** OpenType features in use; the alternate letters of both fonts are left out. */
const CUT = {
  targetFormat: 'woff2',
  keepFeatures: ['calt', 'ccmp', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'rvrn', 'tnum'],
} as const;

/** Returns the characters that both files have, from unicode ranges such as `U+0000-00FF,U+0131`. */
async function latin(): Promise<string> {
  const { latin: ranges } = JSON.parse(await readFile(fileOf('@fontsource-variable/inter/unicode.json'), 'utf8')) as {
    latin: string;
  };
  return [...ranges.matchAll(/U\+(\w+)(?:-(\w+))?/g)]
    .flatMap(([, first, last = first]) => {
      const [from, to] = [parseInt(first!, 16), parseInt(last!, 16)];
      return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));
    })
    .join('');
}

/** Subsets the fonts of `app/layout.tsx` to weights and glyphs in use: every first visit loads them before images. */
export async function cutFonts(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const characters = await latin();
  for (const { name, source, weight } of FONTS) {
    const whole = await readFile(fileOf(source));
    const font = await subsetFont(whole, characters, { ...CUT, variationAxes: { wght: weight } });
    await writeFile(resolve(FOLDER, `${name}.woff2`), font);
  }
}
