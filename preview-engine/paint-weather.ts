import { lighten } from '#preview-engine/colour';
import { drawRaster, addLight } from '#preview-engine/draw-raster';
import { paintFog } from '#preview-engine/paint-fog';
import { createRandom } from '#preview-engine/random';
import type { Paint, Stage } from '#preview-engine/stage';
import { swarmSprites, type Swarm } from '#preview-engine/swarm-sprites';

function paintSwarm(stage: Stage, swarm: Swarm, salt: number): Paint {
  const random = createRandom(stage.seed ^ salt);
  const sprites = swarmSprites(stage, swarm);
  const bits = Array.from({ length: swarm.count }, () => ({
    x: random(),
    y: random(),
    kind: Math.floor(random() * sprites.length),
    phase: random() * 6.283,
  }));
  const { unit, margin } = stage;
  return (frame, { seconds, pan, weather }) => {
    if (weather <= 0) return;
    const spanX = frame.width + unit * 0.1;
    const spanY = frame.height + unit * 0.1;
    for (const bit of bits) {
      const sprite = sprites[bit.kind]!;
      const near = 0.5 + bit.kind / sprites.length;
      const across =
        bit.x * spanX +
        seconds * swarm.wind * unit * near +
        pan * margin * near * 1.2 +
        Math.sin(seconds * 1.3 + bit.phase) * swarm.sway * unit;
      const down =
        bit.y * spanY +
        seconds * swarm.fall * unit * near +
        Math.cos(seconds * 0.9 + bit.phase * 1.7) * swarm.sway * unit * 0.6;
      const x = across - Math.floor(across / spanX) * spanX - unit * 0.05;
      const y = down - Math.floor(down / spanY) * spanY - unit * 0.05;
      const glow = weather * (swarm.pulse ? 0.55 + 0.45 * Math.sin(seconds * 2.1 + bit.phase) : 1);
      if (swarm.light) addLight(frame, sprite, x, y, glow);
      else drawRaster(frame, sprite, Math.round(x), Math.round(y), weather);
    }
  };
}

/** Paints the weather that the prompt asks for, in front of the scene. */
export function paintWeather(stage: Stage): Paint[] {
  const { weathers, settings } = stage.reading;
  const { palette } = stage;
  const paints: Paint[] = [];
  if (weathers.has('fog')) paints.push(paintFog(stage, 0.62));
  else if (weathers.has('rain') || weathers.has('storm')) paints.push(paintFog(stage, 0.28));
  const white = lighten(palette.haze, 0.7);
  const swarm = (part: Partial<Swarm>): Swarm => ({
    count: 90,
    size: [0.001, 0.005],
    fall: 0.05,
    wind: 0.02,
    sway: 0.01,
    light: false,
    pulse: false,
    shape: 'dot',
    colours: [white],
    ...part,
  });
  if (weathers.has('snow') && !settings.includes('space'))
    paints.push(
      paintSwarm(stage, swarm({ count: 260, size: [0.0012, 0.006], fall: 0.11, wind: 0.03, sway: 0.012 }), 1),
    );
  if (weathers.has('rain') || (weathers.has('storm') && !weathers.has('snow')))
    paints.push(
      paintSwarm(
        stage,
        swarm({
          count: 420,
          size: [0.03, 0.09],
          fall: 1.5,
          wind: -0.22,
          sway: 0,
          shape: 'streak',
          colours: [white, lighten(palette.sky[3]!, 0.4)],
        }),
        2,
      ),
    );
  if (weathers.has('petals'))
    paints.push(
      paintSwarm(
        stage,
        swarm({
          count: 80,
          size: [0.003, 0.009],
          fall: 0.06,
          wind: 0.05,
          sway: 0.03,
          shape: 'leaf',
          colours: [
            [255, 214, 226],
            [250, 182, 205],
            [255, 236, 240],
          ],
        }),
        3,
      ),
    );
  if (weathers.has('leaves'))
    paints.push(
      paintSwarm(
        stage,
        swarm({
          count: 55,
          size: [0.004, 0.01],
          fall: 0.07,
          wind: 0.06,
          sway: 0.04,
          shape: 'leaf',
          colours: [
            [214, 92, 30],
            [236, 158, 44],
            [168, 52, 28],
            [120, 64, 30],
          ],
        }),
        4,
      ),
    );
  if (weathers.has('fireflies'))
    paints.push(
      paintSwarm(
        stage,
        swarm({
          count: 95,
          size: [0.01, 0.032],
          fall: -0.008,
          wind: 0.006,
          sway: 0.03,
          light: true,
          pulse: true,
          colours: [[255, 236, 140], [220, 255, 150], palette.second],
        }),
        5,
      ),
    );
  if (weathers.has('embers'))
    paints.push(
      paintSwarm(
        stage,
        swarm({
          count: 110,
          size: [0.003, 0.011],
          fall: -0.13,
          wind: 0.03,
          sway: 0.02,
          light: true,
          pulse: true,
          colours: [
            [255, 190, 90],
            [255, 120, 50],
          ],
        }),
        6,
      ),
    );
  return paints;
}
