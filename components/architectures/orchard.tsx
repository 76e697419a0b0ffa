import { EmblemDrawing } from '#components/architectures/emblem';

const WIDTH = 720;
const HEIGHT = 760;
const GROUND = 706;
const TRUNK = 360;
const WIRES = [138, 276, 414, 552];
const REACH = 296;
const GRASS = [60, 236, 304, 436, 520, 652];
const GREENS = ['fill-leaf-1', 'fill-leaf-2', 'fill-leaf-3', 'fill-leaf-1', 'fill-leaf-2'];

/** Drawing of a fruit tree that carries one fruit or blossom per architecture. The same ids give the same tree. */
export function Orchard({ ids, label, className }: { ids: readonly string[]; label: string; className: string }) {
  const perArm = Math.max(2, Math.ceil(ids.length / (WIRES.length * 2)));
  const size = Math.min(86, (REACH - 60) / perArm - 12);
  const arms = WIRES.flatMap((y, tier) => ([-1, 1] as const).map(side => ({ y, side, tier })));
  return (
    <figure className={className}>
      <figcaption className="sr-only">{label}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden className="size-full">
        <defs>
          {/* defined once, because the tree has more than a hundred leaves */}
          <g id="orchard-leaf">
            <path d="M0 0C8-13 26-15 42-3 28 10 10 11 0 0Z" />
            <path d="M2 0C14-2 26-4 36-3" className="stroke-paper" strokeOpacity=".45" strokeWidth="1.1" fill="none" />
          </g>
        </defs>
        <circle cx="452" cy="296" r="246" className="fill-sun" />
        <Frame />
        <path
          d={`M${TRUNK - 15} ${GROUND}C${TRUNK - 4} 560 ${TRUNK - 12} 340 ${TRUNK - 3} 62L${TRUNK + 3} 62C${TRUNK + 10} 340 ${TRUNK - 1} 560 ${TRUNK + 17} ${GROUND}Z`}
          className="fill-wood"
        />
        {GRASS.map(x => (
          <Grass key={x} x={x} />
        ))}
        <Tuft />
        {arms.map(arm => (
          <Arm key={`${arm.tier}${arm.side}`} {...arm} />
        ))}
        {ids.map((id, i) => {
          // skips arms, so that neighbours in the catalog do not hang side by side
          const arm = arms[(i * 3) % arms.length];
          if (!arm) return null;
          const place = Math.floor(i / arms.length);
          const step = (REACH - 52) / perArm;
          const x = TRUNK + arm.side * (66 + step * (place + 0.42) + (arm.tier % 2 ? 14 : 0));
          return <Hanging key={id} id={id} x={x} y={arm.y} size={size} lean={((i * 47) % 19) - 9} />;
        })}
      </svg>
    </figure>
  );
}

function Frame() {
  return (
    <g className="stroke-wood" strokeWidth="1.4" fill="none">
      <path d={`M36 72V${GROUND}M684 72V${GROUND}`} strokeWidth="4" />
      {WIRES.map(y => (
        <path key={y} d={`M22 ${y}H698`} opacity=".6" />
      ))}
      <path d={`M0 ${GROUND}H${WIDTH}`} />
      {/* a ladder */}
      <path
        d="M92 706 168 330M132 706 190 336M97 680H136M105 642H142M113 603H148M121 563H154M129 523H160M137 484H166M145 444H173M153 405H179M161 366H185"
        strokeWidth="3"
      />
    </g>
  );
}

function Arm({ y, side, tier }: { y: number; side: 1 | -1; tier: number }) {
  const at = (dx: number) => TRUNK + side * dx;
  const tip = REACH - ((tier * 7) % 20);
  const leaves = Array.from({ length: 17 }, (_, i) => {
    const seed = (i * 37 + tier * 53 + (side > 0 ? 17 : 0)) % 101;
    const along = 42 + (i * (tip - 40)) / 16;
    const above = i % 3 !== 1;
    const slope = (above ? -1 : 1) * (28 + (seed % 34));
    return {
      x: at(along),
      y: y + (along < 70 ? 4 : 0),
      angle: side > 0 ? slope : 180 - slope,
      length: 0.8 + (seed % 9) / 14 - (above ? 0 : 0.22),
      green: GREENS[seed % GREENS.length],
    };
  });
  return (
    <>
      {leaves.map((leaf, i) => (
        <Leaf key={i} {...leaf} />
      ))}
      <path
        d={`M${at(-3)} ${y + 58}C${at(12)} ${y + 16} ${at(34)} ${y - 5} ${at(86)} ${y - 5}C${at(160)} ${y - 7} ${at(220)} ${y - 1} ${at(tip)} ${y - 12}C${at(225)} ${y + 4} ${at(160)} ${y} ${at(92)} ${y + 4}C${at(46)} ${y + 6} ${at(22)} ${y + 28} ${at(8)} ${y + 74}Z`}
        className="fill-wood"
      />
    </>
  );
}

function Grass({ x }: { x: number }) {
  return (
    <g transform={`translate(${x} ${GROUND})`}>
      <path d="M-16 0C-18-8-22-14-28-18-20-14-14-8-11 0Z" className="fill-leaf-2" />
      <path d="M-11 0C-10-12-12-22-17-31-8-22-5-12-4 0Z" className="fill-leaf-1" />
      <path d="M-4 0C-4-10-1-19 4-26 3-17 4-8 4 0Z" className="fill-leaf-3" />
      <path d="M4 0C5-9 11-18 19-22 13-15 11-8 11 0Z" className="fill-leaf-1" />
    </g>
  );
}

function Tuft() {
  return [-148, -118, -90, -62, -34].map((angle, i) => (
    <Leaf key={angle} x={TRUNK} y={70} angle={angle} length={1.25 - (i % 2) * 0.2} green={GREENS[i]} />
  ));
}

function Leaf({
  x,
  y,
  angle,
  length,
  green,
}: {
  x: number;
  y: number;
  angle: number;
  length: number;
  green: string | undefined;
}) {
  const place = `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${angle}) scale(${length.toFixed(2)})`;
  return <use href="#orchard-leaf" transform={place} className={green} />;
}

function Hanging({ id, x, y, size, lean }: { id: string; x: number; y: number; size: number; lean: number }) {
  const scale = size / 48;
  return (
    <g transform={`translate(${x.toFixed(1)} ${y}) rotate(${lean})`}>
      <path d="M0-4C2 8-2 14 0 24" className="stroke-wood" strokeWidth="3" fill="none" />
      <g transform={`translate(${(-size / 2).toFixed(1)} 17) scale(${scale.toFixed(3)})`}>
        <EmblemDrawing id={id} />
      </g>
    </g>
  );
}
