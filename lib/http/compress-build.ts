import { glob, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import pMap from 'p-map';

const compress = promisify(brotliCompress);

/** V8 makes such a script ready while it comes, beside the page, where each function would else be when it is called, in the page's way. */
const ALL_AT_ONCE = Buffer.from('//# allFunctionsCalledOnLoad\n');
/** A shorter one is ready in no time. */
const LONG = 30_000;

/** Puts beside every script and style of a build its shortest form, a seventh smaller than what is compressed while it is sent. */
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
