import { ALL_FORMATS, BlobSource, CanvasSink, Input } from 'mediabunny';
import { encode } from 'modern-gif';

const WIDTH = 480;
const FPS = 10;
const MOST_SECONDS = 12;

/** Converts the beginning of a video to a looping animated GIF. */
export async function videoToGif(video: Blob): Promise<Blob> {
  const input = new Input({ source: new BlobSource(video), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  if (!track) throw new Error('There are no frames in this video.');
  const seconds = Math.min(await track.computeDuration(), MOST_SECONDS);
  const width = Math.min(WIDTH, track.displayWidth);
  const height = Math.round((track.displayHeight * width) / track.displayWidth);
  const moments = Array.from({ length: Math.max(1, Math.floor(seconds * FPS)) }, (_, index) => index / FPS);
  const frames: { data: Uint8ClampedArray<ArrayBuffer>; delay: number }[] = [];
  for await (const frame of new CanvasSink(track, { width, height, fit: 'fill' }).canvasesAtTimestamps(moments)) {
    const context = frame?.canvas.getContext('2d') as OffscreenCanvasRenderingContext2D | null | undefined;
    if (context) frames.push({ data: context.getImageData(0, 0, width, height).data, delay: 1000 / FPS });
  }
  return encode({ width, height, frames, looped: true, format: 'blob' });
}
