import type { Locator, Page } from '@playwright/test';
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

/** Drops files on the page, beside its fields, or on something of it. */
export const dropFiles = (page: Page, files: Awaited<ReturnType<typeof pictureFile>>[], on = 'body') =>
  page.locator(on).evaluate(
    (element, all) => {
      const dataTransfer = new DataTransfer();
      for (const { name, mimeType, data } of all) {
        const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0));
        dataTransfer.items.add(new File([bytes], name, { type: mimeType }));
      }
      element.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
    },
    files.map(({ buffer, ...file }) => ({ ...file, data: buffer.toString('base64') })),
  );

/** Pastes a picture, with the texts that come along. */
export const pastePicture = (field: Locator, texts: Record<string, string> = {}) =>
  field.evaluate(async (field, texts) => {
    const blob = await new Promise<Blob | null>(done => document.createElement('canvas').toBlob(done));
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(texts)) clipboardData.setData(type, text);
    clipboardData.items.add(new File([blob!], 'image.png', { type: 'image/png' }));
    field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
  }, texts);

/** What comes with a picture of spreadsheet cells. */
export const CELLS = { 'text/plain': 'a\tb', 'text/html': '<table><tr><td>a<td>b</table>' };
