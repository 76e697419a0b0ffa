import { fetchMedia } from '#components/media/fetch-media';

/** Returns the frame of a video at a time in seconds, as a PNG. Fetches the whole file, to avoid a tainted canvas. */
export async function frameOf(url: string, seconds: number): Promise<Blob> {
  const video = document.createElement('video');
  const address = URL.createObjectURL(await fetchMedia(url));
  try {
    video.muted = true;
    video.preload = 'auto';
    video.src = address;
    await once(video, 'loadeddata');
    video.currentTime = Math.min(seconds, video.duration);
    await once(video, 'seeked');
    const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
    canvas.getContext('2d')!.drawImage(video, 0, 0);
    return await canvas.convertToBlob({ type: 'image/png' });
  } finally {
    URL.revokeObjectURL(address);
  }
}

const once = (video: HTMLVideoElement, event: string) =>
  new Promise<void>((done, fail) => {
    video.addEventListener(event, () => done(), { once: true });
    video.addEventListener('error', () => fail(new Error('The video cannot be read.')), { once: true });
  });
