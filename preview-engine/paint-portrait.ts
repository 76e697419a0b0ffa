import { rounded, shaded } from '#preview-engine/subject-ink';
import { toHex, mix, lighten, type Colour } from '#preview-engine/colour';
import { drawRaster } from '#preview-engine/draw-raster';
import { createRandom, between, pick, type Random } from '#preview-engine/random';
import { rasterizeSvg } from '#preview-engine/raster';
import type { Paint, Stage } from '#preview-engine/stage';

const SKINS: readonly Colour[] = [
  [244, 208, 184],
  [226, 178, 146],
  [198, 142, 106],
  [152, 100, 70],
  [122, 80, 56],
];
const HAIRS: readonly Colour[] = [
  [40, 28, 26],
  [78, 48, 32],
  [128, 78, 44],
  [192, 144, 84],
  [28, 26, 34],
  [150, 62, 34],
];

/** Hair behind and in front of the head, as paths in the 100×125 box. */
const HAIRCUTS = {
  long: [
    'M50 12C22 10 18 40 22 62C24 84 14 96 16 118C30 112 70 112 84 118C86 96 76 84 78 62C82 40 78 10 50 12Z',
    'M31 52C27 30 38 17 52 17C66 18 73 32 69 52C68 42 63 34 55 28C50 36 38 38 31 52Z',
  ],
  bun: [
    'M50 14C28 13 25 36 29 54C36 66 64 66 71 54C75 36 72 13 50 14ZM50 2C41 1 39 14 50 17C61 14 59 1 50 2Z',
    'M31 50C28 30 38 18 50 18C63 18 72 30 69 50C66 38 58 30 50 29C42 30 34 38 31 50Z',
  ],
  bob: [
    'M50 12C24 11 20 36 22 56C22 68 24 76 30 79C40 72 60 72 70 79C76 76 78 68 78 56C80 36 76 11 50 12Z',
    'M30 54C27 34 36 18 52 18C66 19 73 34 70 54C69 45 67 40 64 37C52 41 38 40 34 38C32 42 31 48 30 54Z',
  ],
  short: [
    'M50 14C30 13 27 32 30 48C36 40 64 40 70 48C73 32 70 13 50 14Z',
    'M30 47C27 26 38 15 53 16C68 17 74 30 70 47C69 40 66 34 62 32C52 35 42 30 38 30C34 34 31 40 30 47Z',
  ],
} as const;

interface Look {
  skin: Colour;
  hair: Colour;
  cloth: Colour;
  cut: keyof typeof HAIRCUTS;
  beard: boolean;
  lashes: boolean;
}

function drawBust(random: Random, look: Look, light: Colour, shade: Colour): string {
  const css = (colour: Colour) => toHex(colour);
  const skinDark = mix(mix(look.skin, [150, 60, 50], 0.22), shade, 0.3);
  const skinLit = mix(lighten(look.skin, 0.3), light, 0.22);
  const hairLit = mix(look.hair, light, 0.35);
  const [behind, before] = HAIRCUTS[look.cut];
  const strands = Array.from({ length: 16 }, () => {
    const x = between(random, 22, 78);
    const side = x < 50 ? -1 : 1;
    return `<path d="M${50 + side * between(random, 2, 12)} ${between(random, 14, 20).toFixed(1)}C${x} 26 ${x + side * 4} 60 ${x + side * between(random, 0, 6)} ${between(random, 80, 112).toFixed(0)}" stroke="${css(random() < 0.5 ? hairLit : mix(look.hair, shade, 0.5))}" stroke-width="${between(random, 0.3, 0.9).toFixed(2)}" fill="none" opacity=".45"/>`;
  });
  const lips = look.lashes ? mix(look.skin, [196, 40, 58], 0.6) : mix(look.skin, [150, 70, 62], 0.4);
  const brow = css(mix(look.hair, [30, 20, 20], 0.4));
  const eye = (x: number) =>
    `<path d="M${x - 5} 51Q${x} 47 ${x + 5} 51Q${x} 54.500 ${x - 5} 51Z" fill="#fbf6f0"/><circle cx="${x + 0.3}" cy="50.800" r="2.250" fill="#4a3526"/><circle cx="${x + 0.3}" cy="50.800" r="1.100" fill="#120c0a"/><circle cx="${x - 0.6}" cy="49.900" r=".6" fill="#fff"/><path d="M${x - 5.4} 51.200Q${x} 46.300 ${x + 5.4} 51.200" stroke="#1c1210" stroke-width="${look.lashes ? 1.1 : 0.75}" fill="none" stroke-linecap="round"/><path d="M${x - 5} 45.800Q${x} 42.800 ${x + 5.5} 45.400" stroke="${brow}" stroke-width="${look.lashes ? 1 : 1.5}" fill="none" stroke-linecap="round"/><path d="M${x - 4} 48.200Q${x} 45.800 ${x + 4} 48.200" stroke="${css(skinDark)}" stroke-width=".4" fill="none"/>`;
  return `<defs>${shaded('skin', css(skinLit), css(skinDark))}${shaded('neck', css(mix(look.skin, skinDark, 0.4)), css(mix(skinDark, shade, 0.25)), true)}${shaded('hair', css(hairLit), css(mix(look.hair, shade, 0.55)))}${shaded('cloth', css(mix(look.cloth, light, 0.3)), css(mix(look.cloth, shade, 0.6)))}${rounded('blush', css(mix(look.skin, [220, 80, 80], 0.5)), css(look.skin), css(look.skin))}<radialGradient id="bl"><stop offset="0" stop-color="#e0645a" stop-opacity="${(0.12 + look.skin[1] / 850).toFixed(2)}"/><stop offset="1" stop-color="#e0645a" stop-opacity="0"/></radialGradient><linearGradient id="side"><stop offset=".45" stop-color="${css(shade)}" stop-opacity="0"/><stop offset="1" stop-color="${css(shade)}" stop-opacity=".5"/></linearGradient></defs>
<path d="${behind}" fill="url(#hair)"/>${look.cut === 'long' ? strands.join('') : ''}
<path d="M42 66h17l1 20q10 6 10 14L50 112 30 100q1-8 11-14z" fill="url(#neck)"/>
<path d="M4 128C6 104 22 98 38 92Q50 106 63 92C80 98 94 104 96 128Z" fill="url(#cloth)"/><path d="M38 92Q50 106 63 92L66 94Q50 112 35 94Z" fill="${css(mix(look.cloth, shade, 0.45))}"/>
<path d="M31 46C30 26 40 21 50.500 21C61 21 71 26 70 46C69.500 60 63 74 50.500 77C38 74 31.500 60 31 46Z" fill="url(#skin)"/><path d="M31 46C30 26 40 21 50.500 21C61 21 71 26 70 46C69.500 60 63 74 50.500 77C38 74 31.500 60 31 46Z" fill="url(#side)" opacity=".4"/>
<circle cx="38.500" cy="59" r="6.500" fill="url(#bl)"/><circle cx="62" cy="59" r="6.500" fill="url(#bl)"/>${eye(41.5)}${eye(59.5)}
<path d="M51.500 47Q53.500 55 54.800 59Q53.500 61.300 50 61Q47.800 61 47 59.800" stroke="${css(skinDark)}" stroke-width=".8" fill="none" stroke-linecap="round"/><path d="M48.500 50Q47.800 56 49 59.500L51.200 58.500Q50.200 54 48.500 50Z" fill="${css(skinLit)}" opacity=".6"/>
${look.beard ? `<path d="M32 54Q34 76 50.500 80Q67 76 69 54Q66 64 58 63.500Q50.500 61.500 43 63.500Q35 64 32 54Z" fill="url(#hair)"/>` : ''}
<path d="M43 66.700Q47 65.200 50.500 66.400Q54 65.200 58 66.700Q54 68.400 50.500 68.200Q47 68.600 43 66.700Z" fill="${css(mix(lips, shade, 0.2))}"/><path d="M43 66.700Q47 68.400 50.500 68.200Q54 68.400 58 66.700Q54.500 72 50.500 72Q46.500 72 43.500 67.600Z" fill="${css(lips)}"/><path d="M48 70Q50.500 70.800 53 70" stroke="#fff" stroke-width=".6" opacity=".4" fill="none"/>
<path d="${before}" fill="url(#hair)"/>${look.lashes && look.cut !== 'long' ? `<circle cx="31.500" cy="62" r="1.300" fill="#f2d58a"/><circle cx="69.500" cy="62" r="1.300" fill="#f2d58a"/>` : ''}`;
}

/** Paints a head and shoulders. Hair and clothes take the colours that the prompt gives them. */
export async function paintPortrait(stage: Stage): Promise<Paint[]> {
  const { palette, reading, width, height, margin } = stage;
  const random = createRandom(stage.seed ^ 0xface);
  const woman = reading.subjects.includes('woman') || (!reading.subjects.includes('man') && random() < 0.5);
  const skin = pick(random, SKINS);
  const asked = reading.colourOf;
  const hair = asked.get('hair') ? mix(asked.get('hair')!, [60, 24, 20], 0.3) : pick(random, HAIRS);
  const cloth =
    asked.get('woman') ??
    asked.get('man') ??
    asked.get('person') ??
    mix(palette.accent, palette.far, between(random, 0, 0.5));
  const cut = woman ? pick(random, ['long', 'long', 'bun', 'bob'] as const) : 'short';
  const warm = mix(palette.light, [255, 240, 220], 0.3);
  const look: Look = { skin, hair, cloth, cut, beard: !woman && random() < 0.45, lashes: woman };
  const h = Math.round(Math.min(height * 0.94, width * 1.05));
  const w = Math.round(h * 0.8);
  const mirror = stage.light.x > width / 2;
  const markup = drawBust(random, look, warm, mix(palette.near, palette.far, 0.25));
  const bust = await rasterizeSvg(
    mirror ? `<g transform="translate(100 0) scale(-1 1)">${markup}</g>` : markup,
    [100, 125],
    w,
    h,
  );
  const x = (width - 2 * margin - w) / 2 + (random() - 0.5) * (width - 2 * margin - w) * 0.2;
  return [
    (frame, { seconds, pan }) =>
      drawRaster(
        frame,
        bust,
        x + pan * margin * 0.5 + Math.sin(seconds * 0.6) * stage.unit * 0.002,
        height - h + Math.round(1.4 + Math.sin(seconds * 1.1) * 1.2),
      ),
  ];
}
