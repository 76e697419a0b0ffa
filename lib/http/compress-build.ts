import { glob, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import pMap from 'p-map';

const compress = promisify(brotliCompress);

/**
 * Hint with which V8 compiles all functions of a script while it downloads, in the background. Otherwise each function
 * would be compiled on the main thread at its first call.
 */
const ALL_AT_ONCE = Buffer.from('//# allFunctionsCalledOnLoad\n');
/** Minimum size in bytes of a script that gets the hint; shorter ones compile fast anyway. */
const LONG = 30_000;

/** Compresses every script and style of a build to a `.br` file, a seventh smaller than compression on the fly. */
export async function compressBuild(folder: string): Promise<void> {
  const files: string[] = [];
  for await (const file of glob(`${folder}/**/*.{js,css}`)) files.push(file);
  const pack = async (file: string) => {
    const written = await readFile(file);
    const bytes = file.endsWith('.js') && written.length > LONG ? Buffer.concat([ALL_AT_ONCE, written]) : written;
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    await writeFile(`${file}.br`, await compress(bytes, { params }));
  };
  await pMap(files, pack, { concurrency: 4 });
}
