import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { InputRole, JobInput } from '#lib/engines/engine';
import { AppError } from '#lib/errors';

const SIDE = 768;
const SKY = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}">
    <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#f3b47c"/><stop offset="1" stop-color="#6b4a63"/></linearGradient>
    <rect width="100%" height="100%" fill="url(#sky)"/>
    <circle cx="480" cy="300" r="120" fill="#fff1d6"/>
    <path d="M0 600 Q200 420 400 580 T768 520 V768 H0 Z" fill="#31433a"/>
  </svg>`,
);

const RATE = 16_000;

/** Returns one second of a low tone as a 16-bit mono WAV file. */
function tone(): Buffer {
  const samples = Int16Array.from({ length: RATE }, (_, at) => Math.sin((at * 2 * Math.PI * 220) / RATE) * 8_000);
  const head = Buffer.alloc(44);
  head.write('RIFF\0\0\0\0WAVEfmt ', 'latin1');
  head.writeUInt32LE(36 + samples.byteLength, 4);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples.byteLength, 40);
  return Buffer.concat([head, Buffer.from(samples.buffer)]);
}

/** Writes a sample file for a required input: an image, or a second of sound. Throws `invalid_request` for a video. */
export async function sampleFile(role: InputRole, folder: string): Promise<JobInput> {
  if (role === 'source_video')
    throw new AppError('invalid_request', 'This needs a video to work on. Save it, and try it in the studio.');
  const isSound = role === 'voice' || role === 'audio_reference';
  const path = join(folder, `${role}.${isSound ? 'wav' : 'png'}`);
  await writeFile(path, isSound ? tone() : await sharp(SKY).png().toBuffer());
  return { role, path, contentType: isSound ? 'audio/wav' : 'image/png' };
}
