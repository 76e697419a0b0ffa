import { toHex, mix } from '#preview-engine/colour';
import { drawRaster } from '#preview-engine/draw-raster';
import { paintCaustics, paintDepths } from '#preview-engine/paint-depths';
import { createRandom, between, pick } from '#preview-engine/random';
import { rasterizeSvg } from '#preview-engine/raster';
import type { Paint, Stage } from '#preview-engine/stage';

function drawKoi(
  x: number,
  y: number,
  s: number,
  turn: number,
  base: string,
  patch: string,
  dark: string,
  bend: number,
): string {
  const body = `M0-46C12-44 15-22 13-4 11 16 6 30 ${bend * 6} 44 ${-4 + bend * 3} 30-11 16-13-4-15-22-12-44 0-46z`;
  return `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn.toFixed(0)}) scale(${s.toFixed(2)})"><path d="${body}" fill="#04121a" opacity=".3" transform="translate(7 10)"/><path d="M${bend * 6} 40q${14 + bend * 10} 14 ${8 + bend * 10} 30-8-8-10-20-4 14-14 20-2-18 10-30z" fill="${base}" opacity=".75"/><path d="M12-22q18 2 22 16-14 0-22-6zM-12-22q-18 2-22 16 14 0 22-6z" fill="${base}" opacity=".7"/><path d="${body}" fill="${base}"/><path d="M-9-40q10-8 18 0 6 12-2 18-12 4-18-4-2-8 2-14zM-4-8q12-6 16 6-2 12-10 14-12-4-6-20zM-2 24q6-2 6 6l-2 8q-6-4-4-14z" fill="${patch}"/><path d="M0-20Q${bend * 2} 10 ${bend * 5} 36" stroke="#fff" stroke-width="2" opacity=".35" fill="none"/><circle cx="-6" cy="-37" r="1.500" fill="${dark}"/><circle cx="6" cy="-37" r="1.500" fill="${dark}"/></g>`;
}

/** Paints a pond seen from above, with koi under lily pads. */
export async function paintPond(stage: Stage): Promise<Paint[]> {
  const { palette, width, height, unit, margin, reading } = stage;
  const random = createRandom(stage.seed ^ 0x40e);
  const green = mix(palette.water, [30, 90, 92], 0.5);
  const paints: Paint[] = [
    paintDepths(
      stage,
      [mix(green, [160, 210, 200], 0.4), green, mix(green, [10, 40, 50], 0.4), mix(green, [6, 22, 34], 0.66)],
      0,
    ),
    paintCaustics(stage, [215, 245, 235], 0.35, 2.2),
  ];
  const koiColour = reading.colourOf.get('koi');
  const patches = koiColour ? [toHex(koiColour)] : ['#e8552a', '#f08a2c', '#d8352a', '#2a2a34', toHex(palette.accent)];
  const aspect = width / height;
  const [w, h] = aspect > 1 ? [200 * aspect, 200] : [200, 200 / aspect];
  const shoal = Array.from({ length: 7 }, (_, i) => {
    const angle = (i / 7) * Math.PI * 2 + random();
    const x = w / 2 + Math.cos(angle) * w * between(random, 0.1, 0.34);
    const y = h / 2 + Math.sin(angle) * h * between(random, 0.12, 0.36);
    return drawKoi(
      x,
      y,
      between(random, 0.42, 0.78),
      (angle * 180) / Math.PI + 180 + between(random, -35, 35),
      random() < 0.75 ? '#f8f2e8' : '#f3b06a',
      pick(random, patches),
      '#1a1210',
      between(random, -1, 1),
    );
  });
  const half = Math.ceil(shoal.length / 2);
  const layers = await Promise.all(
    [shoal.slice(0, half), shoal.slice(half)].map(fish => rasterizeSvg(fish.join(''), [w, h], width, height)),
  );
  layers.forEach((layer, index) =>
    paints.push((frame, { seconds, pan }) =>
      drawRaster(
        frame,
        layer,
        -margin + pan * margin * 0.5 + Math.sin(seconds * 0.8 + index * 2) * unit * 0.022,
        Math.round(Math.cos(seconds * 0.7 + index * 2) * unit * 0.012),
      ),
    ),
  );
  const pad = (x: number, y: number, r: number) =>
    `<g transform="translate(${x.toFixed(0)} ${y.toFixed(0)}) rotate(${(random() * 360).toFixed(0)})"><circle r="${r}" fill="#04121a" opacity=".28" cx="3" cy="4"/><path d="M0 0L${r} ${-r * 0.16}A${r} ${r} 0 1 1 ${r} ${r * 0.16}z" fill="${pick(random, ['#4f8f52', '#3f7d52', '#6aa25a', '#357050'])}"/>${[60, 110, 160, 210, 260, 310].map(a => `<path d="M0 0L${(Math.cos((a * Math.PI) / 180) * r * 0.85).toFixed(1)} ${(Math.sin((a * Math.PI) / 180) * r * 0.85).toFixed(1)}" stroke="#cfe6b0" stroke-width=".5" opacity=".4"/>`).join('')}</g>`;
  const lily = (x: number, y: number, r: number) =>
    `<g transform="translate(${x.toFixed(0)} ${y.toFixed(0)})">${[0, 45, 90, 135, 180, 225, 270, 315].map(a => `<path transform="rotate(${a})" d="M0 0Q${r * 0.42} ${-r * 0.5} 0 ${-r}Q${-r * 0.42} ${-r * 0.5} 0 0z" fill="#fbd3e0"/>`).join('')}${[22, 82, 142, 202, 262, 322].map(a => `<path transform="rotate(${a}) scale(.66)" d="M0 0Q${r * 0.42} ${-r * 0.5} 0 ${-r}Q${-r * 0.42} ${-r * 0.5} 0 0z" fill="#fff2f6"/>`).join('')}<circle r="${r * 0.22}" fill="#f5c542"/></g>`;
  let leaves = '';
  for (let i = 0; i < 13; i++) {
    const corner = random() < 0.5 ? 0 : 1;
    const x = (corner ? w : 0) + (random() - 0.5) * w * 0.62;
    const y = (random() < 0.5 ? h : 0) + (random() - 0.5) * h * 0.55;
    leaves += pad(x, y, between(random, 11, 25));
    if (random() < 0.3) leaves += lily(x + 4, y + 2, between(random, 9, 14));
  }
  const cover = await rasterizeSvg(leaves, [w, h], width, height);
  paints.push((frame, { seconds, pan }) =>
    drawRaster(frame, cover, -margin + pan * margin * 0.9 + Math.sin(seconds * 0.6) * unit * 0.004, 0),
  );
  return paints;
}
