import { between } from '#preview-engine/random';
import { shaded, type Ink } from '#preview-engine/subject-ink';

/** Built things. Each stands on y = 100 in a 100×100 box; light falls from the left. */
export const BUILT = {
  lighthouse: (ink: Ink) => {
    const bands = [0, 1, 2].map(i => {
      const y = 44 + i * 15;
      const w = 5.2 + (y - 30) * 0.055;
      return `<path d="M${50 - w} ${y}h${w * 2}l.5 7.5h-${w * 2 + 1}z" fill="url(#r)"/>`;
    });
    return `<defs>${shaded('t', ink.pale, ink.body)}${shaded('r', ink.accentLit, ink.accentDark)}${shaded('k', ink.body, ink.dark, true)}<radialGradient id="h"><stop offset="0" stop-color="${ink.glow}"/><stop offset=".25" stop-color="${ink.glow}" stop-opacity=".55"/><stop offset="1" stop-color="${ink.glow}" stop-opacity="0"/></radialGradient><linearGradient id="b" x1="1" x2="0"><stop offset="0" stop-color="${ink.glow}" stop-opacity="${0.25 + ink.night * 0.5}"/><stop offset="1" stop-color="${ink.glow}" stop-opacity="0"/></linearGradient><linearGradient id="b2"><stop offset="0" stop-color="${ink.glow}" stop-opacity="${0.15 + ink.night * 0.4}"/><stop offset="1" stop-color="${ink.glow}" stop-opacity="0"/></linearGradient></defs>
<path d="M50 23L-60 8V44Z" fill="url(#b)"/><path d="M50 23L150 14V36Z" fill="url(#b2)"/>
<path d="M4 100C10 92 18 94 24 87c6-5 10-1 14-4 7-4 16-5 24-1 6 3 9 1 15 6 7 4 12 5 21 12z" fill="url(#k)"/><path d="M24 87c6-5 10-1 14-4l-6 9zM62 82c6 3 9 1 15 6l-9 3z" fill="${ink.lit}" opacity=".35"/>
<path d="M60 74h13v10H60z" fill="url(#t)"/><path d="M58.500 75l8-6 8 6z" fill="url(#r)"/><path d="M64 78h3v4h-3z" fill="${ink.window}"/>
<path d="M45 30h10l3.200 54H41.800z" fill="url(#t)"/>${bands.join('')}<path d="M48.600 40h2.800v4h-2.800zM48.500 55h2.800v4h-2.800zM48 76h4v8h-4z" fill="${ink.dark}"/>
<path d="M43 28.500h14v2.300H43z" fill="${ink.dark}"/><path d="M45.500 19h9v9.500h-9z" fill="${ink.window}"/><path d="M45.500 19h1v9.500h-1zM49.500 19h1v9.500h-1zM53.500 19h1v9.500h-1z" fill="${ink.dark}"/><path d="M44 19.500L50 12l6 7.500z" fill="url(#r)"/><path d="M49.700 9h.6v4h-.6z" fill="${ink.dark}"/><circle cx="50" cy="23.500" r="17" fill="url(#h)"/>`;
  },
  house: (ink: Ink) =>
    `<defs>${shaded('w', ink.pale, ink.lit)}${shaded('r', ink.accent, ink.accentDark)}</defs><path d="M70 48V26h8v28z" fill="${ink.dark}"/><path d="M18 62h64v38H18z" fill="url(#w)"/><path d="M58 62h24v38H58z" fill="${ink.body}" opacity=".35"/><path d="M10 64L34 36h44l12 28z" fill="url(#r)"/><path d="M10 64L34 36l22 28z" fill="${ink.accentLit}" opacity=".25"/><g fill="${ink.window}"><path d="M25 71h11v11H25zM64 71h11v11H64z"/></g><path d="M44 76h11v24H44z" fill="${ink.dark}"/><path d="M30 71h1v11h-1zM25 76h11v1H25zM69 71h1v11h-1zM64 76h11v1H64z" fill="${ink.dark}"/><path d="M72 24c-3-6 4-8 1-14 7 4 2 9 6 14z" fill="${ink.pale}" opacity=".4"/>`,
  castle: (ink: Ink) => {
    const tower = (x: number, w: number, top: number) =>
      `<path d="M${x} ${top}h${w}V100h-${w}z" fill="url(#s)"/><path d="M${x - 2} ${top - 4}h${w / 5 + 1}v3h2v-3h${w / 5}v3h2v-3h${w / 5 + 1}v6h-${w + 4}z" fill="${ink.body}"/><path d="M${x - 2} ${top - 4}L${x + w / 2} ${top - 4 - w * 1.35}L${x + w + 2} ${top - 4}z" fill="url(#r)"/><path d="M${x + w / 2 - 1.3} ${top + 9}h2.600v6h-2.600z" fill="${ink.window}"/><path d="M${x + w / 2} ${top - 4 - w * 1.35}v-7l7 2.500-7 2.500" fill="${ink.accentLit}"/>`;
    return `<defs>${shaded('s', ink.lit, ink.dark)}${shaded('r', ink.accent, ink.accentDark)}${shaded('k', ink.body, ink.dark, true)}</defs>${tower(44, 13, 30)}${tower(25, 10, 48)}${tower(66, 10, 44)}<path d="M14 66h72v34H14z" fill="url(#s)"/><path d="M14 62h5v4h4v-4h5v4h4v-4h5v4h4v-4h5v4h4v-4h5v4h4v-4h5v4h4v-4h5v4h4v-4h5v6H14z" fill="${ink.body}"/>${tower(8, 12, 58)}${tower(80, 12, 56)}<path d="M44 100V86a6 7 0 0112 0v14z" fill="${ink.dark}"/><path d="M28 76h3v6h-3zM69 76h3v6h-3z" fill="${ink.window}"/><path d="M-2 100c16-8 88-8 104 0z" fill="url(#k)"/>`;
  },
  temple: (ink: Ink) => {
    const floors = [0, 1, 2, 3].map(i => {
      const y = 84 - i * 17;
      const w = 30 - i * 5;
      return `<path d="M${50 - w * 0.62} ${y - 12}h${w * 1.24}v13h-${w * 1.24}z" fill="url(#w)"/><path d="M${50 - w * 0.4} ${y - 9}h5v8h-5zM${50 + w * 0.4 - 5} ${y - 9}h5v8h-5z" fill="${ink.window}"/><path d="M${50 - w - 6} ${y - 11}q8 0 ${w * 0.6} -7h${w * 0.8 + 12}q${w * 0.2} 7 ${w * 0.6} 7q-${w} 4 -${w * 2 + 12} 0z" fill="url(#r)"/>`;
    });
    return `<defs>${shaded('w', ink.accent, ink.accentDark)}${shaded('r', ink.body, ink.dark)}</defs><path d="M49.400 6h1.200v14h-1.200z" fill="${ink.dark}"/><circle cx="50" cy="9" r="1.800" fill="${ink.second}"/><path d="M14 88h72l6 12H8z" fill="${ink.body}"/><path d="M14 88h72l1.500 3h-75z" fill="${ink.lit}"/>${floors.join('')}<path d="M45 76h10v12H45z" fill="${ink.dark}"/>`;
  },
  bridge: (ink: Ink) =>
    `<defs>${shaded('s', ink.lit, ink.body, true)}</defs><path d="M-40 70C0 52 100 52 140 70v8C120 70 112 72 108 100H92C92 70 58 66 54 100H46C42 66 8 70 8 100H-8C-12 72-20 70-40 78z" fill="url(#s)"/><path d="M-40 66C0 48 100 48 140 66v3C100 52 0 52-40 69z" fill="${ink.dark}"/>`,
  windmill: (ink: Ink) => {
    const blades = [20, 110, 200, 290].map(
      a =>
        `<g transform="rotate(${a} 50 38)"><path d="M49.300 38h1.400V2h-1.400z" fill="${ink.dark}"/><path d="M50.700 4h7v26h-7z" fill="${ink.pale}" opacity=".85"/><path d="M50.700 10h7M50.700 16h7M50.700 22h7M54 4v26" stroke="${ink.dark}" stroke-width=".5"/></g>`,
    );
    return `<defs>${shaded('w', ink.pale, ink.body)}${shaded('r', ink.accent, ink.accentDark)}</defs><path d="M41 40h18l7 60H34z" fill="url(#w)"/><path d="M38 42q2-14 12-15 10 1 12 15z" fill="url(#r)"/><path d="M46 84h8v16h-8zM47.500 56h5v7h-5z" fill="${ink.dark}"/>${blades.join('')}<circle cx="50" cy="38" r="2.500" fill="${ink.dark}"/>`;
  },
  sailboat: (ink: Ink) =>
    `<defs>${shaded('s', ink.pale, ink.lit)}${shaded('j', ink.accentLit, ink.accent)}${shaded('h', ink.body, ink.dark, true)}</defs><path d="M50 6h1.200v80H50z" fill="${ink.dark}"/><path d="M52 10C74 32 80 58 80 80H52z" fill="url(#s)"/><path d="M49 16C36 40 26 62 20 79h29z" fill="url(#j)"/><path d="M52 34c12 4 18 6 21 7M52 58c14 2 22 3 27 3" stroke="${ink.body}" stroke-width=".5" opacity=".5" fill="none"/><path d="M12 84h78c-4 10-10 16-16 16H28c-8 0-14-7-16-16z" fill="url(#h)"/><path d="M12 84h78l-1 3H13z" fill="${ink.accentLit}"/>`,
  ship: (ink: Ink) => {
    const mast = (x: number, h: number) =>
      `<path d="M${x} ${80 - h}h1.200v${h}h-1.200z" fill="${ink.dark}"/><path d="M${x - 11} ${84 - h}q11 4 23 0q5 ${h * 0.16} 0 ${h * 0.34}q-12 5-23 0q4-${h * 0.16} 0-${h * 0.34}zM${x - 13} ${84 - h * 0.58}q13 4 27 0q5 ${h * 0.17} 0 ${h * 0.36}q-14 6-27 0q4-${h * 0.18} 0-${h * 0.36}z" fill="url(#s)"/><path d="M${x} ${80 - h}l9 2.500-9 3z" fill="${ink.accent}"/>`;
    return `<defs>${shaded('s', ink.pale, ink.lit)}${shaded('h', ink.body, ink.dark, true)}</defs>${mast(28, 58)}${mast(50, 72)}${mast(72, 56)}<path d="M84 78l16-9-1-1.500L84 75z" fill="${ink.dark}"/><path d="M8 70h10v9h66c0 9-6 21-14 21H26C16 100 9 88 8 70z" fill="url(#h)"/><path d="M16 84h64l-1 3H17z" fill="${ink.accent}"/><g fill="${ink.window}"><path d="M24 90h3v2.500h-3zM34 90h3v2.500h-3zM44 90h3v2.500h-3zM54 90h3v2.500h-3zM64 90h3v2.500h-3zM10 74h3v3h-3z"/></g>`;
  },
  car: (ink: Ink) =>
    `<defs>${shaded('c', ink.accentLit, ink.accentDark, true)}</defs><ellipse cx="50" cy="99" rx="46" ry="2.500" fill="${ink.dark}" opacity=".5"/><path d="M4 88c-1-10 4-15 18-17 8-11 15-17 30-17 14 0 21 8 27 17 14 1 18 7 17 17-1 3-3 4-6 4H10c-4 0-6-1-6-4z" fill="url(#c)"/><path d="M29 70c6-8 11-12 19-12v12zM51 58c9 0 15 5 19 12H51z" fill="${ink.window}" opacity=".85"/><path d="M4 84h10v4H4z" fill="${ink.accent}"/><path d="M89 80h7v4h-7z" fill="${ink.glow}"/><g><circle cx="24" cy="91" r="8.500" fill="#0b0b10"/><circle cx="24" cy="91" r="4" fill="${ink.pale}"/><circle cx="76" cy="91" r="8.500" fill="#0b0b10"/><circle cx="76" cy="91" r="4" fill="${ink.pale}"/></g><path d="M14 76h72" stroke="${ink.accentLit}" stroke-width=".8" opacity=".7"/>`,
  train: (ink: Ink) => {
    const coach = (x: number) =>
      `<path d="M${x} 70h44v22H${x}z" fill="url(#c)"/><path d="M${x} 70h44v-3H${x}z" fill="${ink.dark}"/>${[4, 14, 24, 34].map(w => `<path d="M${x + w} 75h7v7h-7z" fill="${ink.window}"/>`).join('')}<g fill="#0b0b10"><circle cx="${x + 9}" cy="95" r="4.500"/><circle cx="${x + 35}" cy="95" r="4.500"/></g>`;
    return `<defs>${shaded('c', ink.accent, ink.accentDark, true)}${shaded('b', ink.body, ink.dark, true)}</defs><path d="M-80 98.500h260v1.500H-80z" fill="${ink.dark}"/>${coach(-66)}${coach(-20)}<path d="M27 64h22v28H27z" fill="url(#c)"/><path d="M31 68h13v9H31z" fill="${ink.window}"/><path d="M49 74h34q5 9 0 18H49z" fill="url(#b)"/><path d="M72 58h7l1 16h-9zM58 68h6v6h-6zM24 61h28v4H24z" fill="${ink.dark}"/><path d="M88 100l-6-9h4z" fill="${ink.dark}"/><circle cx="85" cy="80" r="2.500" fill="${ink.glow}"/><g fill="#0b0b10"><circle cx="36" cy="93" r="7"/><circle cx="55" cy="94" r="6"/><circle cx="70" cy="94" r="6"/></g><g fill="${ink.pale}" opacity=".55"><circle cx="74" cy="50" r="6"/><circle cx="64" cy="42" r="9"/><circle cx="48" cy="36" r="12"/><circle cx="26" cy="31" r="14"/><circle cx="-2" cy="28" r="16"/></g>`;
  },
  balloon: (ink: Ink) => {
    const one = (x: number, y: number, s: number, flip: boolean) =>
      `<g transform="translate(${x} ${y}) scale(${s})"><path d="M0-44C28-44 38-24 34-6 30 10 12 20 7 30h-14C-12 20-30 10-34-6-38-24-28-44 0-44z" fill="url(#${flip ? 'q' : 'p'})"/><path d="M0-44c12 0 16 20 14 38C12 10 5 20 3 30h-6C-5 20-12 10-14-6-16-24-12-44 0-44z" fill="${ink.pale}" opacity=".75"/><path d="M0-44c4 0 6 20 5 38-1 16-3 26-4 36h-2c-1-10-3-20-4-36-1-18 1-38 5-38z" fill="${flip ? ink.second : ink.accent}"/><path d="M-6 30l1 8M6 30l-1 8" stroke="${ink.dark}" stroke-width=".8"/><path d="M-6 38H6l-1 9H-5z" fill="${ink.dark}"/><ellipse cx="0" cy="31" rx="4" ry="2" fill="${ink.glow}"/></g>`;
    return `<defs>${shaded('p', ink.accentLit, ink.accentDark)}${shaded('q', ink.second, ink.accentDark)}</defs>${one(44, 50, 0.95, false)}${one(112, 26, 0.42, true)}${one(-22, 70, 0.3, true)}`;
  },
  rocket: (ink: Ink) =>
    `<defs>${shaded('r', ink.pale, ink.body)}${shaded('f', ink.accent, ink.accentDark)}<linearGradient id="e" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fff6d8"/><stop offset=".3" stop-color="#ffc14d"/><stop offset="1" stop-color="#ff6a2a" stop-opacity="0"/></linearGradient></defs><path d="M42 66h16q4 20-8 36-12-16-8-36z" fill="url(#e)"/><path d="M50 2c12 12 15 30 12 52l-3 13H41l-3-13C35 32 38 14 50 2z" fill="url(#r)"/><path d="M50 2c6 6 9 12 10.500 19h-21C41 14 44 8 50 2z" fill="url(#f)"/><path d="M38 46L26 64v12l14-10zM62 46l12 18v12L60 66z" fill="url(#f)"/><circle cx="50" cy="34" r="5.500" fill="${ink.dark}"/><circle cx="50" cy="34" r="4" fill="${ink.window}"/>`,
  spaceship: (ink: Ink) =>
    `<defs>${shaded('h', ink.pale, ink.body, true)}${shaded('u', ink.body, ink.dark, true)}<linearGradient id="e" x1="1" x2="0"><stop offset="0" stop-color="#fff"/><stop offset=".2" stop-color="${ink.second}" stop-opacity=".9"/><stop offset="1" stop-color="${ink.second}" stop-opacity="0"/></linearGradient></defs><path d="M14 50L-50 46V60L14 56zM12 62L-30 60v9l42-2z" fill="url(#e)"/><path d="M10 46l22-7 38 1 26 12-24 9-40 5-22-6z" fill="url(#h)"/><path d="M10 54l86-2-24 9-40 5-22-6z" fill="url(#u)"/><path d="M30 40L16 22h8l24 17zM28 64L10 80h10l26-15z" fill="url(#u)"/><path d="M16 22h8l2 2h-8z" fill="${ink.accent}"/><path d="M62 42q12 0 20 7l-18 1z" fill="${ink.second}" opacity=".9"/><path d="M18 50h34" stroke="${ink.accent}" stroke-width="1.400"/><g fill="${ink.window}"><path d="M34 57h2v1.500h-2zM40 57h2v1.500h-2zM46 56.500h2V58h-2zM52 56h2v1.500h-2zM58 56h2v1.500h-2z"/></g><path d="M8 46h4v14H8z" fill="${ink.dark}"/>`,
  robot: (ink: Ink) =>
    `<defs>${shaded('m', ink.pale, ink.body)}${shaded('n', ink.body, ink.dark)}</defs><path d="M36 76h10v24H34zM54 76h10l2 24H54z" fill="url(#n)"/><rect x="30" y="42" width="40" height="37" rx="7" fill="url(#m)"/><rect x="38" y="50" width="24" height="15" rx="3" fill="${ink.dark}"/><path d="M42 57h3l2-4 3 8 3-6 2 2h4" stroke="${ink.second}" fill="none" stroke-width="1.200"/><path d="M22 46q-8 14-2 28M78 46q8 14 2 28" stroke="${ink.body}" stroke-width="6.500" fill="none" stroke-linecap="round"/><rect x="33" y="14" width="34" height="25" rx="9" fill="url(#m)"/><rect x="37" y="20" width="26" height="12" rx="6" fill="${ink.dark}"/><circle cx="44" cy="26" r="3" fill="${ink.second}"/><circle cx="56" cy="26" r="3" fill="${ink.second}"/><path d="M49.300 5h1.400v9h-1.400z" fill="${ink.dark}"/><circle cx="50" cy="5" r="2.600" fill="${ink.accent}"/>`,
  candle: (ink: Ink) => {
    const one = (x: number, h: number) =>
      `<path d="M${x - 6} ${100 - h}q6 3 12 0V100h-12z" fill="url(#c)"/><path d="M${x - 0.4} ${94 - h}h.8v8h-.8z" fill="${ink.dark}"/><circle cx="${x}" cy="${90 - h}" r="26" fill="url(#h)"/><path d="M${x} ${80 - h}q6 9 0 15q-6-6 0-15z" fill="#ffe9a8"/>`;
    return `<defs>${shaded('c', ink.pale, ink.accentDark)}<radialGradient id="h"><stop offset="0" stop-color="#ffd98a" stop-opacity=".75"/><stop offset="1" stop-color="#ffb347" stop-opacity="0"/></radialGradient></defs>${one(50, between(ink.random, 48, 58))}${one(30, 30)}${one(69, 38)}`;
  },
} as const;
