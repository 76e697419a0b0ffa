import { fetchMedia } from '#components/media/fetch-media';

/** The picture that a film shows at a moment (seconds), as a PNG. The file is read whole, so that its origin does not matter. */
export async function frameOf(url: string, seconds: number): Promise<Blob> {
  const film = document.createElement('video');
  const address = URL.createObjectURL(await fetchMedia(url));
  try {
    film.muted = true;
    film.preload = 'auto';
    film.src = address;
    await once(film, 'loadeddata');
    film.currentTime = Math.min(seconds, film.duration);
    await once(film, 'seeked');
    const canvas = new OffscreenCanvas(film.videoWidth, film.videoHeight);
    canvas.getContext('2d')!.drawImage(film, 0, 0);
    return await canvas.convertToBlob({ type: 'image/png' });
  } finally {
    URL.revokeObjectURL(address);
  }
}

const once = (film: HTMLVideoElement, event: string) =>
  new Promise<void>((done, fail) => {
    film.addEventListener(event, () => done(), { once: true });
    film.addEventListener('error', () => fail(new Error('The video cannot be read.')), { once: true });
  });
