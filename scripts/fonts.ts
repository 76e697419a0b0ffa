import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import subsetFont from 'subset-font';

const { resolve: fileOf } = createRequire(import.meta.url);
const FOLDER = resolve(import.meta.dirname, '../.fonts');
/** The weights that pages use; titles keep the cut that Fraunces has for each of their sizes. */
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
const WITH_ALL_GLYPHS = { targetFormat: 'woff2', keepAllGlyphs: true } as const;

/** Cuts the fonts of `app/layout.tsx` to the weights in use: every first visit loads them before its pictures. */
export async function cutFonts(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  for (const { name, source, weight } of FONTS) {
    const whole = await readFile(fileOf(source));
    const font = await subsetFont(whole, '', { ...WITH_ALL_GLYPHS, variationAxes: { wght: weight } });
    await writeFile(resolve(FOLDER, `${name}.woff2`), font);
  }
}
