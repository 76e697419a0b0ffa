import type { Locator } from '@playwright/test';
import sharp from 'sharp';
import { makeWav } from '#lib/media/media-test-files';
import { untilItListens } from './someone.ts';

/** A picture as a file of the device. */
export async function pictureFile(name = 'portrait.png') {
  const picture = sharp({ create: { width: 240, height: 300, channels: 3, background: '#ef6a2f' } });
  return { name, mimeType: 'image/png', buffer: await picture.png().toBuffer() };
}

/** The same in an address, as clients of the API send it. */
export const pictureAddress = async (): Promise<string> =>
  `data:image/png;base64,${(await pictureFile()).buffer.toString('base64')}`;

/** A picture of a megabyte or so, like those that cameras make. */
export async function photoFile(name = 'photo.jpg') {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const photo = sharp({ create: { width: 1200, height: 1500, channels: 3, background: '#ef6a2f', noise } });
  return { name, mimeType: 'image/jpeg', buffer: await photo.jpeg({ quality: 90 }).toBuffer() };
}

/** Some seconds of sound as a file of the device. */
export const soundFile = (name = 'bell.wav', seconds = 1) => ({
  name,
  mimeType: 'audio/wav',
  buffer: makeWav(seconds, { level: 0.37 }),
});

/** Chooses files as people do, in a field that answers already. */
export async function chooseFiles(field: Locator, files: Parameters<Locator['setInputFiles']>[0]) {
  await untilItListens(field);
  await field.setInputFiles(files);
}
