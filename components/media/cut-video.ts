import { ALL_FORMATS, BlobSource, BufferTarget, Conversion, Input, Mp4OutputFormat, Output } from 'mediabunny';

/** Returns the part of a video between two times in seconds, as an MP4 file. */
export async function cutVideo(video: Blob, start: number, end: number): Promise<Blob> {
  const input = new Input({ source: new BlobSource(video), formats: ALL_FORMATS });
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const conversion = await Conversion.init({ input, output, trim: { start, end } });
  await conversion.execute();
  return new Blob([target.buffer!], { type: 'video/mp4' });
}
