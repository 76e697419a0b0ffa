import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { makeWav } from '#lib/media/media-test-files';
import { untilItListens } from './someone.ts';

/** Returns an image as a file on the user's device. */
export async function pictureFile(name = 'portrait.png') {
  const picture = sharp({ create: { width: 240, height: 300, channels: 3, background: '#ef6a2f' } });
  return { name, mimeType: 'image/png', buffer: await picture.png().toBuffer() };
}

/** Returns the same image as a data URL, as API clients send it. */
export const pictureAddress = async (): Promise<string> =>
  `data:image/png;base64,${(await pictureFile()).buffer.toString('base64')}`;

/** Returns a photo of about a megabyte, as from a camera. */
export async function photoFile() {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const photo = sharp({ create: { width: 1200, height: 1500, channels: 3, background: '#ef6a2f', noise } });
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await photo.jpeg({ quality: 90 }).toBuffer() };
}

/** Returns some seconds of audio as a file on the user's device. */
export const soundFile = (name = 'bell.wav', seconds = 1) => ({
  name,
  mimeType: 'audio/wav',
  buffer: makeWav(seconds, { level: 0.37 }),
});

/** Chooses files in a file input, once it is hydrated. */
export async function chooseFiles(field: Locator, files: Parameters<Locator['setInputFiles']>[0]) {
  await untilItListens(field);
  await field.setInputFiles(files);
}

/** Drops files on the page outside of its fields, or on the element `on`. */
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

/** Pastes an image together with texts of other types. */
export const pastePicture = (field: Locator, texts: Record<string, string> = {}) =>
  field.evaluate(async (field, texts) => {
    const blob = await new Promise<Blob | null>(done => document.createElement('canvas').toBlob(done));
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(texts)) clipboardData.setData(type, text);
    clipboardData.items.add(new File([blob!], 'image.png', { type: 'image/png' }));
    field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
  }, texts);

/** Texts on the clipboard beside the image of copied spreadsheet cells. */
export const CELLS = { 'text/plain': 'a\tb', 'text/html': '<table><tr><td>a<td>b</table>' };
