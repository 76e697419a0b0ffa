import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import sharp from 'sharp';
import type { Graph } from '#lib/engines/comfyui/workflow';
import { encodeImage } from '#lib/media/encode-image';
import { makeAv } from '#lib/media/media-test-files';

const HUGE_PIXELS = 200_000_000;

/** Sends the output of a graph: video, sound, an image in the colour of its seed, or zeros where its size is huge. */
export async function answerOutput(graph: Graph, extension: string, answer: ServerResponse): Promise<void> {
  const inputs = Object.assign({}, ...Object.values(graph).map(node => node.inputs)) as Record<string, unknown>;
  const [width, height] = [Number(inputs.width ?? 64), Number(inputs.height ?? 64)];
  if (width * height > HUGE_PIXELS) return answerBytes(width * height, answer);
  if (extension === 'mp4') return void answer.end(await makeAv('mp4'));
  if (extension === 'mp3') return void answer.end(await makeAv('mp3', { videos: 0 }));
  answer.end(await draw(graph, width, height, Number(inputs.color ?? inputs.seed ?? 0)));
}

async function answerBytes(length: number, answer: ServerResponse): Promise<void> {
  answer.writeHead(200, { 'content-length': length });
  const piece = Buffer.alloc(1 << 20);
  for (let left = length; left > 0; left -= piece.length)
    if (!answer.write(piece.subarray(0, left))) await once(answer, 'drain');
  answer.end();
}

/** Draws an image with the graph in its metadata, as ComfyUI does. */
async function draw(graph: Graph, width: number, height: number, colour: number): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3);
  for (let at = 0; at < data.length; at++) data[at] = (colour >> ((at % 3) * 8)) & 255;
  const tags = { architecture: '', modelId: '', prompt: JSON.stringify(graph), seed: 0, settings: {} };
  return encodeImage({ data, width, height, channels: 3 }, tags);
}

let jpeg: Promise<Buffer> | undefined;

/** Returns a preview message (event 1, format 1), as samplers send it for each step. */
export async function frame(): Promise<Buffer> {
  jpeg ??= sharp({ create: { width: 32, height: 32, channels: 3, background: '#345' } })
    .jpeg()
    .toBuffer();
  return Buffer.concat([Buffer.from([0, 0, 0, 1, 0, 0, 0, 1]), await jpeg]);
}
