import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import sharp from 'sharp';
import { createClient } from '#client/client';
import { WORKS } from '../components/home/works.ts';

// Generates the samples of the start page on a deployment: POMONA_URL=… POMONA_KEY=… node scripts/home-works.ts

const FOLDER = resolve(import.meta.dirname, '../public/works');
const { POMONA_URL: baseUrl = '', POMONA_KEY: key = '' } = process.env;
const pomona = createClient({ baseUrl, key });

await mkdir(FOLDER, { recursive: true });
for (const { name, architecture, config } of WORKS) {
  const { result } = await pomona.run(architecture, { ...config });
  if (result.type !== 'image') {
    const ending = result.type === 'video' ? 'mp4' : 'mp3';
    await writeFile(resolve(FOLDER, `${name}.${ending}`), await bytesOf(result.url));
  }
  const still = result.renditions?.filter(({ content_type }) => content_type === 'image/webp').at(-1);
  if (still)
    await sharp(await bytesOf(still.url))
      // a still keeps the size of its video, which is small, so that it covers exactly the same area
      .resize(result.type === 'video' ? null : 720)
      .webp({ quality: 80 })
      .toFile(resolve(FOLDER, `${name}.webp`));
  console.log(name, result);
}

async function bytesOf(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}
