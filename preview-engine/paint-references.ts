import sharp from 'sharp';
import type { JobInput } from '#lib/engines/engine';
import { toHex, mix, lighten } from '#preview-engine/colour';
import { drawRaster } from '#preview-engine/draw-raster';
import { createRandom, between } from '#preview-engine/random';
import { premultiply, type Raster } from '#preview-engine/raster';
import type { Paint, Stage } from '#preview-engine/stage';

interface Card {
  raster: Raster;
  x: number;
  y: number;
}

/** Tints a given image slightly with the light of the scene. */
function gradeCard(stage: Stage, data: Uint8Array): void {
  const light = mix(stage.palette.light, stage.palette.haze, 0.5);
  const gains = light.map(part => 0.87 + (0.13 * part) / 255);
  for (let p = 0; p < data.length; p += 4) {
    data[p] = data[p]! * gains[0]!;
    data[p + 1] = data[p + 1]! * gains[1]!;
    data[p + 2] = data[p + 2]! * gains[2]!;
  }
}

async function makeCard(
  stage: Stage,
  input: JobInput,
  width: number,
  height: number,
  soft: boolean,
  angle: number,
): Promise<Raster> {
  const mat = soft ? 0 : Math.max(2, Math.round(Math.min(width, height) * 0.035));
  const radius = Math.round(Math.min(width, height) * 0.02);
  const blur = Math.round(Math.min(width, height) * 0.06);
  const mask = soft
    ? `<svg width="${width}" height="${height}"><filter id="f" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="${blur}"/></filter><rect x="${blur * 2}" y="${blur * 2}" width="${width - blur * 4}" height="${height - blur * 4}" rx="${blur * 3}" fill="#fff" filter="url(#f)"/></svg>`
    : `<svg width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="${radius}" fill="#fff"/></svg>`;
  const picture = await sharp(input.path)
    .rotate()
    .resize(width - mat * 2, height - mat * 2, { fit: 'cover', position: 'attention' })
    .toColourspace('srgb')
    .ensureAlpha()
    .png({ compressionLevel: 0 })
    .toBuffer();
  const paper = toHex(lighten(mix(stage.palette.haze, [255, 252, 246], 0.75), 0.3));
  let card = sharp({ create: { width, height, channels: 4, background: soft ? '#00000000' : paper } }).composite([
    { input: picture, left: mat, top: mat },
    { input: Buffer.from(mask), blend: 'dest-in' },
  ]);
  if (!soft) {
    const shadow = Math.max(6, Math.round(Math.min(width, height) * 0.05));
    const flat = await card.png({ compressionLevel: 0 }).toBuffer();
    const dark = `<svg width="${width + shadow * 4}" height="${height + shadow * 4}"><filter id="f" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="${shadow * 0.6}"/></filter><rect x="${shadow * 2}" y="${shadow * 2.5}" width="${width}" height="${height}" rx="${radius}" fill="#000" fill-opacity=".5" filter="url(#f)"/></svg>`;
    const lifted = await sharp(Buffer.from(dark))
      .composite([{ input: flat, left: shadow * 2, top: shadow * 2 }])
      .png({ compressionLevel: 0 })
      .toBuffer();
    card = sharp(lifted).rotate(angle, { background: '#00000000' });
  }
  const { data, info } = await card.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  gradeCard(stage, data);
  return premultiply(data, info.width, info.height);
}

async function aspectOf(input: JobInput): Promise<number> {
  const { autoOrient } = await sharp(input.path).metadata();
  return Math.max(0.6, Math.min(1.7, autoOrient.width / autoOrient.height));
}

/** Places given images in the scene: a single one blends into it, several hang as a wall of prints. */
export async function paintReferences(stage: Stage, inputs: readonly JobInput[]): Promise<Paint[]> {
  const pictures = inputs.filter(input => input.role === 'reference' && input.contentType.startsWith('image/'));
  const count = pictures.length;
  if (count === 0) return [];
  const random = createRandom(stage.seed ^ 0x4ef);
  const width = stage.width - 2 * stage.margin;
  const { height } = stage;
  const aspects = await Promise.all(pictures.map(aspectOf));
  const cards: Card[] = [];
  if (count === 1) {
    const aspect = aspects[0]!;
    const h = Math.min(height * 0.86, (width * 0.8) / aspect);
    const w = h * aspect;
    const raster = await makeCard(stage, pictures[0]!, Math.round(w), Math.round(h), true, 0);
    const room = Math.max(0, (width - w) / 2 - width * 0.04);
    const towards = stage.light.x < stage.width / 2 ? 1 : -1;
    cards.push({ raster, x: (width - w) / 2 + towards * room * 0.35, y: height * 0.53 - h / 2 });
  } else {
    const columns = Math.max(
      1,
      Math.min(count, Math.round(Math.sqrt((count * width) / height) * (count < 5 ? 1.25 : 1))),
    );
    const rows = Math.ceil(count / columns);
    const cellW = (width * 0.92) / columns;
    const cellH = (height * (rows === 1 ? 0.7 : 0.9)) / rows;
    for (let index = 0; index < count; index++) {
      const row = Math.floor(index / columns);
      const inRow = Math.min(columns, count - row * columns);
      const aspect = aspects[index]!;
      const h = Math.max(12, Math.min(cellH * 0.86, (cellW * 0.86) / aspect));
      const raster = await makeCard(
        stage,
        pictures[index]!,
        Math.round(h * aspect),
        Math.round(h),
        false,
        between(random, -3, 3),
      );
      const centreX = width / 2 + ((index % columns) - (inRow - 1) / 2) * cellW;
      const centreY = height * (rows === 1 ? 0.53 : 0.5) + (row - (rows - 1) / 2) * cellH;
      cards.push({ raster, x: centreX - raster.width / 2, y: centreY - raster.height / 2 });
    }
  }
  return cards.map(({ raster, x, y }, index) => (frame, { seconds, pan }) => {
    const bob = Math.sin(seconds * 0.8 + index * 1.7) * stage.unit * 0.004;
    drawRaster(frame, raster, x + pan * stage.margin * 0.75, Math.round(y + bob));
  });
}
