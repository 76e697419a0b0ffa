import { between } from '#preview-engine/random';
import { leafage, rounded, shaded, type Ink } from '#preview-engine/subject-ink';

/** Living things. Each stands on y = 100 in a 100×100 box; light falls from the left. */
export const LIVING = {
  tree: (ink: Ink) => {
    const tones = [ink.dark, ink.accentDark, ink.accentDark, ink.accent, ink.accent, ink.accentLit];
    const limbs = [-34, -18, 4, 20, 36].map(
      dx =>
        `<path d="M50 70Q${50 + dx * 0.3} 56 ${50 + dx} ${between(ink.random, 26, 46).toFixed(1)}" stroke="${ink.dark}" stroke-width="2.600" fill="none" stroke-linecap="round"/>`,
    );
    return `<defs>${shaded('t', ink.lit, ink.dark)}</defs><path d="M45 100q3-18 1-36h8q-1 20 3 36 3 1 6 1H38q4 0 7-1z" fill="url(#t)"/>${limbs.join('')}${leafage(ink, 50, 36, 42, 29, tones, 900)}`;
  },
  palm: (ink: Ink) => {
    const palm = (x: number, top: number, lean: number) =>
      `<path d="M${x} 100Q${x + lean * 0.2} 70 ${x + lean} ${top}l2.500 1Q${x + 5 + lean * 0.3} 72 ${x + 5} 100z" fill="url(#t)"/>${[-170, -140, -105, -70, -35, -8, 20, 195].map(a => `<g transform="translate(${x + lean + 1} ${top}) rotate(${a})"><path d="M0 0Q18-9 34 7Q18-1 0 2.500z" fill="${a < -80 ? ink.body : ink.dark}"/><path d="M8-2l3 8 2-8 3 10 2-9 3 10 2-7z" fill="${ink.dark}"/></g>`).join('')}`;
    return `<defs>${shaded('t', ink.lit, ink.dark)}</defs>${palm(40, 24, 14)}${palm(56, 44, 22)}`;
  },
  flower: (ink: Ink) => {
    const bloom = (x: number, y: number, r: number, petals: number, turn: number) => {
      const ring = (count: number, reach: number, fill: string, from: number) =>
        Array.from(
          { length: count },
          (_, i) =>
            `<ellipse cx="${x}" cy="${(y - r * reach).toFixed(1)}" rx="${(r * 0.3).toFixed(1)}" ry="${(r * reach * 0.72).toFixed(1)}" fill="${fill}" transform="rotate(${(from + (i * 360) / count).toFixed(0)} ${x} ${y})"/>`,
        ).join('');
      return `${ring(petals, 0.72, 'url(#p)', turn)}${ring(petals, 0.5, ink.accentLit, turn + 180 / petals)}<circle cx="${x}" cy="${y}" r="${r * 0.27}" fill="${ink.second}"/><circle cx="${x - r * 0.06}" cy="${y - r * 0.06}" r="${r * 0.16}" fill="${ink.glow}" opacity=".6"/>`;
    };
    const stem = (x: number, y: number, bend: number) =>
      `<path d="M50 100Q${50 + bend} 70 ${x} ${y}" stroke="url(#s)" stroke-width="1.500" fill="none"/>`;
    const leaf = (x: number, y: number, a: number) =>
      `<path transform="translate(${x} ${y}) rotate(${a})" d="M0 0Q10-8 24 0Q10 6 0 0z" fill="url(#s)"/>`;
    return `<defs>${shaded('p', ink.accent, ink.accentDark, true)}<linearGradient id="s" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="#5f9a58"/><stop offset="1" stop-color="${ink.dark}"/></linearGradient></defs>${stem(50, 32, 2)}${stem(24, 52, -14)}${stem(76, 48, 14)}${stem(36, 70, -4)}${leaf(50, 84, -28)}${leaf(49, 78, 208)}${leaf(51, 92, -12)}${bloom(24, 52, 16, 8, 10)}${bloom(76, 48, 18, 9, 0)}${bloom(37, 71, 9, 7, 22)}${bloom(50, 30, 25, 10, 5)}`;
  },
  mushroom: (ink: Ink) => {
    const one = (x: number, s: number) =>
      `<g transform="translate(${x} 100) scale(${s})"><path d="M-7 0q3-18 1-36h12q-2 18 1 36z" fill="url(#m)"/><path d="M-34-32q2-34 34-36 32 2 34 36-34 9-68 0z" fill="url(#c)"/><path d="M-34-32q34 9 68 0-34-6-68 0z" fill="${ink.dark}" opacity=".5"/><g fill="${ink.pale}"><ellipse cx="-12" cy="-52" rx="6" ry="4.500"/><ellipse cx="9" cy="-58" rx="5" ry="3.500"/><ellipse cx="17" cy="-43" rx="6" ry="4"/><ellipse cx="-22" cy="-39" rx="4" ry="2.800"/><ellipse cx="-1" cy="-42" rx="4" ry="2.500"/></g></g>`;
    return `<defs>${shaded('m', ink.pale, ink.body)}${rounded('c', ink.accentLit, ink.accent, ink.accentDark)}</defs>${one(72, 0.6)}${one(24, 0.45)}${one(48, 1)}`;
  },
  person: (ink: Ink) =>
    `<defs>${shaded('c', ink.accent, ink.accentDark)}${shaded('d', ink.body, ink.dark)}</defs><path d="M46 70l-4 30h6l3-24 4 24h6l-3-30z" fill="url(#d)"/><path d="M44 40q7-4 13 0l6 34q-13 5-26 0z" fill="url(#c)"/><path d="M44 42q-8 12-6 24l4 1q0-12 5-20zM57 42q8 12 7 24l-4 1q-1-12-5-20z" fill="${ink.accentDark}"/><circle cx="50.500" cy="31" r="6.500" fill="${ink.lit}"/><path d="M43.500 32q0-9 7-9t7 9q-3-4-7-4t-7 4z" fill="${ink.dark}"/><path d="M65 62l1 38" stroke="${ink.dark}" stroke-width="1"/>`,
  cat: (ink: Ink) =>
    `<defs>${shaded('f', ink.lit, ink.dark)}</defs><path d="M66 92c16 4 26-6 22-22-2-8 4-12 8-8-4 0-4 4-3 8 4 20-9 31-27 28z" fill="${ink.dark}"/><path d="M32 100c-4-20 0-38 10-47 8-6 20-5 26 4 8 11 10 28 6 43z" fill="url(#f)"/><path d="M31 27l2-17 11 10q7-2 13 0L68 10l2 17c4 16-6 27-19 27S27 43 31 27z" fill="url(#f)"/><path d="M34 22l1-7 5 5zM67 22l-1-7-5 5z" fill="${ink.accent}" opacity=".6"/><path d="M37 33q4-5 9 0-5 4-9 0zM55 33q5-5 9 0-4 4-9 0z" fill="${ink.second}"/><path d="M41 30.500h1.200v4.500H41zM59 30.500h1.200v4.500H59z" fill="#0a0a0e"/><path d="M48.500 40h4l-2 2.500z" fill="${ink.accent}"/><path d="M50.500 42.500q-3 4-6 2M50.500 42.500q3 4 6 2" stroke="${ink.dark}" stroke-width=".7" fill="none"/><path d="M30 40l12 1M30 44l12-1M72 40l-13 1M72 44l-13-1" stroke="${ink.pale}" stroke-width=".4" opacity=".8"/><path d="M43 76v24M57 76v24" stroke="${ink.dark}" stroke-width="1.200" opacity=".6"/>`,
  dog: (ink: Ink) =>
    `<defs>${shaded('f', ink.lit, ink.dark)}</defs><path d="M72 88q16-4 18-20 3 20-14 28z" fill="${ink.body}"/><path d="M34 100q-4-26 6-44h22q14 18 14 44z" fill="url(#f)"/><path d="M34 22q16-10 32 0 6 12 2 22-6 12-18 12T32 44q-4-10 2-22z" fill="url(#f)"/><path d="M34 21q-14 4-12 26 8 2 11-14zM66 21q14 4 12 26-8 2-11-14z" fill="${ink.dark}"/><ellipse cx="50" cy="45" rx="10" ry="8.500" fill="${ink.pale}" opacity=".75"/><ellipse cx="50" cy="40.500" rx="4.200" ry="3" fill="#0a0a0e"/><circle cx="42" cy="31" r="2.300" fill="#0a0a0e"/><circle cx="58" cy="31" r="2.300" fill="#0a0a0e"/><path d="M50 43v5q-4 4-7 1M50 48q4 4 7 1" stroke="#0a0a0e" stroke-width=".8" fill="none"/><path d="M36 57q14 7 28 0v4q-14 6-28 0z" fill="${ink.accent}"/><path d="M46 78v22M56 78v22" stroke="${ink.dark}" stroke-width="1.200" opacity=".5"/>`,
  fox: (ink: Ink) =>
    `<defs>${shaded('f', ink.accentLit, ink.accentDark)}</defs><path d="M66 96c20 2 34-14 26-36-2-6 0-10 0-10-16 6-12 24-24 34z" fill="url(#f)"/><path d="M92 60c2-6 0-10 0-10-6 3-9 8-10 13z" fill="${ink.pale}"/><path d="M30 100q-2-30 12-44h18q16 16 14 44z" fill="url(#f)"/><path d="M44 62q6 12 4 34-10-10-8-32z" fill="${ink.pale}"/><path d="M30 30L28 6l15 14q7-2 14 0L72 6l-2 24-20 28z" fill="url(#f)"/><path d="M30 32q8 2 14 12l6 14zM70 32q-8 2-14 12l-6 14z" fill="${ink.pale}"/><path d="M31 12l7 9-6 3zM69 12l-7 9 6 3z" fill="${ink.dark}"/><circle cx="42" cy="35" r="1.800" fill="#0a0a0e"/><circle cx="58" cy="35" r="1.800" fill="#0a0a0e"/><circle cx="50" cy="56" r="2.600" fill="#0a0a0e"/>`,
  wolf: (ink: Ink) =>
    `<defs>${shaded('f', ink.lit, ink.dark)}</defs><path d="M76 74q16 4 14 24-10-4-14-14z" fill="${ink.dark}"/><path d="M24 100l4-34q-4-14 2-26L22 28l1-4 12-6 2-10 6 8q8 4 8 16 26 2 30 26 0 22 2 42h-8l-4-24q-14 4-26 0l-2 24h-8l-1-20-4 20z" fill="url(#f)"/><path d="M22 28l1-4 5-2 2 5z" fill="#0a0a0e"/><circle cx="36" cy="22" r="1.100" fill="${ink.second}"/><path d="M40 40q8 10 4 24" stroke="${ink.lit}" stroke-width="1.500" fill="none" opacity=".6"/>`,
  deer: (ink: Ink) =>
    `<defs>${shaded('f', ink.lit, ink.dark)}</defs><path d="M30 28C20 24 14 14 18 2M24 20l-10-4M21 12l8-8M36 27C44 22 50 14 47 1M42 20l11-3M46 12l-8-7" stroke="${ink.dark}" stroke-width="2" fill="none" stroke-linecap="round"/><path d="M20 38q4-10 12-11l6-3 1 5q6 4 5 14 2 10 8 12 24-2 30 8 4 12 2 37h-4l-3-25q-10 2-22 0l-3 25h-4l-1-26q-8-8-9-22-4 4-10 3-5-2-8-17z" fill="url(#f)"/><path d="M38 27l9-4-4 9z" fill="${ink.body}"/><circle cx="31" cy="35" r="1.200" fill="#0a0a0e"/><path d="M84 63l5 5-3 4z" fill="${ink.pale}"/><path d="M20 38q1 6 4 9l-1-6z" fill="#0a0a0e"/>`,
  horse: (ink: Ink) =>
    `<defs>${shaded('f', ink.lit, ink.dark)}</defs><path d="M84 52q14 8 8 40-10-10-12-30z" fill="${ink.dark}"/><path d="M10 36l16-18 3-8 4 6q10 6 14 28 20 4 32-2 10 4 8 22l4 36h-6l-7-28q-14 4-26 2l-4 26h-6l2-32q-8-8-10-22-6 2-12 4-5 0-6-6z" fill="url(#f)"/><path d="M33 14q10 4 16 30-10-2-14-12-2-8-2-18z" fill="${ink.dark}"/><path d="M68 64l-6 36h-5l4-36zM42 68l-8 30-5-2 8-30z" fill="${ink.dark}" opacity=".8"/><circle cx="25" cy="26" r="1.300" fill="#0a0a0e"/>`,
  camel: (ink: Ink) => {
    const one = (x: number, s: number) =>
      `<g transform="translate(${x} 100) scale(${s}) scale(-1 1)"><path d="M-30-64q-6-1-9 3l1 3q5 1 8 0 0 14 5 22 4 6 9 8l-3 28h4l5-25q9 3 20 1l5 24h4l-1-28q5-8 3-18-1-8-8-9-2-12-9-13-7 1-10 11-8 1-13 3-5-2-6-10z" fill="url(#f)"/><path d="M-16-26l-2 26h4l6-26zM16-28l2 28h3l2-28z" fill="${ink.dark}" opacity=".7"/><path d="M-8-55q10-8 20 0l3 20q-13 4-25 0z" fill="${ink.accent}"/><path d="M-8-42q12 4 23 0" stroke="${ink.second}" stroke-width="1.800" fill="none"/><path d="M-2-54q1-15 5-16 6 1 7 17z" fill="${ink.pale}"/><circle cx="3.500" cy="-73" r="3.800" fill="${ink.dark}"/><path d="M-1-74q5-6 9 0l2 7-3-3z" fill="${ink.accentDark}"/></g>`;
    return `<defs>${shaded('f', ink.dark, ink.lit)}</defs><path d="M-26 60h146" stroke="${ink.dark}" stroke-width=".5" opacity=".5"/>${one(126, 0.6)}${one(92, 0.68)}${one(54, 0.78)}${one(12, 0.9)}${one(-34, 0.84)}`;
  },
  bird: (ink: Ink) => {
    let out = '';
    for (let i = 0; i < 9; i++) {
      const x = between(ink.random, -30, 130);
      const y = between(ink.random, 10, 90);
      const s = between(ink.random, 0.35, 1.1);
      out += `<path transform="translate(${x.toFixed(0)} ${y.toFixed(0)}) scale(${s.toFixed(2)}) rotate(${between(ink.random, -14, 14).toFixed(0)})" d="M-15-5Q-7-9 0 0 7-9 15-5 8-5 1 4L-1 4Q-8-5-15-5z" fill="${ink.dark}"/>`;
    }
    return out;
  },
  butterfly: (ink: Ink) => {
    const wing = `<path d="M50 52C42 22 14 10 6 22S20 58 50 56z" fill="url(#w)"/><path d="M50 56C30 56 12 70 20 82s26 2 30-22z" fill="url(#v)"/><g fill="${ink.pale}" opacity=".85"><circle cx="14" cy="26" r="2.500"/><circle cx="22" cy="22" r="2"/><circle cx="24" cy="78" r="2.200"/></g><path d="M48 52Q32 34 14 28M48 54Q30 46 16 42M48 60Q34 66 26 76" stroke="${ink.dark}" stroke-width=".9" fill="none"/>`;
    return `<defs>${shaded('w', ink.accent, ink.accentLit)}${shaded('v', ink.second, ink.accent)}</defs><g transform="rotate(-12 50 50)">${wing}<g transform="translate(100 0) scale(-1 1)">${wing}</g><path d="M48.500 40h3q1 24-1.500 44-2.500-20-1.500-44z" fill="${ink.dark}"/><path d="M49 40q-4-14-10-18M51 40q4-14 10-18" stroke="${ink.dark}" stroke-width=".8" fill="none"/></g>`;
  },
  dragon: (ink: Ink) =>
    `<defs>${shaded('f', ink.accent, ink.accentDark)}${shaded('w', ink.accentLit, ink.dark)}</defs><path d="M46 52C30 20 4 12-12 18c12 6 14 12 14 20 8-4 12 0 14 8 8-4 12 2 14 10z" fill="url(#w)" opacity=".85"/><path d="M56 50c8-30 32-44 50-42-10 8-10 14-8 22-8-2-12 2-12 10-8-2-12 4-12 12z" fill="url(#w)"/><path d="M96 90C80 98 62 90 60 76 58 60 40 62 34 50c-4-9 2-18-4-24L14 30l4-6-6-4 10-4 2-6 6 5c12 3 18 12 18 22 6 8 20 8 24 24 2 12 10 22 24 29z" fill="url(#f)"/><path d="M96 90l12-4-4 10z" fill="${ink.accent}"/><circle cx="24" cy="19.500" r="1.300" fill="${ink.glow}"/>`,
  whale: (ink: Ink) =>
    `<defs>${shaded('f', ink.lit, ink.dark, true)}</defs><path d="M2 70C6 48 34 40 58 52c14 7 22 14 34 10-2-8 2-16 8-20-1 8 3 10 8 12-4 6-8 10-12 12-8 18-32 26-54 24C20 88 2 84 2 70z" fill="url(#f)"/><path d="M4 74c14 8 36 10 52 4-8 10-20 12-30 11C14 88 6 82 4 74z" fill="${ink.pale}" opacity=".6"/><path d="M40 80q0 14 14 18 0-12-4-20z" fill="${ink.dark}"/><circle cx="18" cy="69" r="1.500" fill="#0a0a0e"/><path d="M30 44q-2-14-10-16M30 44q2-16 10-18M30 44v-20" stroke="${ink.pale}" stroke-width="1.600" fill="none" opacity=".8" stroke-linecap="round"/>`,
  fish: (ink: Ink) => {
    let out = `<defs>${shaded('f', ink.accentLit, ink.accentDark, true)}${shaded('g', ink.second, ink.accentDark, true)}</defs>`;
    for (let i = 0; i < 11; i++) {
      const big = i === 10;
      const s = big ? 0.8 : between(ink.random, 0.16, 0.4);
      out += `<g transform="translate(${(big ? 50 : between(ink.random, -40, 140)).toFixed(0)} ${(big ? 50 : between(ink.random, 0, 100)).toFixed(0)}) scale(${s.toFixed(2)})"><path d="M-34 0Q-8-24 24-4L44-18Q38 0 44 18L24 4Q-8 24-34 0z" fill="url(#${i % 3 ? 'f' : 'g'})"/><path d="M-6-14q10-12 18-6l-4 9zM-4 13q6 9 12 6l-2-8z" fill="${ink.accentDark}"/><path d="M-16-9q5 9 0 18M-4-13q5 13 0 26" stroke="${ink.pale}" stroke-width="3" opacity=".55" fill="none"/><circle cx="-24" cy="-3" r="2.400" fill="#0a0a0e"/></g>`;
    }
    return out;
  },
  jellyfish: (ink: Ink) => {
    const one = (x: number, y: number, s: number) =>
      `<g transform="translate(${x} ${y}) scale(${s})">${[-20, -12, -4, 4, 12, 20].map((t, i) => `<path d="M${t} 0q${i % 2 ? 8 : -8} 16 0 30t${i % 2 ? -3 : 3} 34" stroke="${ink.accentLit}" stroke-width="1.600" fill="none" opacity=".6"/>`).join('')}<path d="M-8 0q-6 20 2 36M6 0q8 18 0 40" stroke="${ink.pale}" stroke-width="4" fill="none" opacity=".35"/><path d="M-30 2Q-30-34 0-36 30-34 30 2q-5 6-10 0-5 6-10 0-5 6-10 0-5 6-10 0-5 6-10 0-5 6-10 0z" fill="url(#j)" opacity=".88"/><ellipse cx="-8" cy="-18" rx="10" ry="7" fill="#fff" opacity=".35"/></g>`;
    return `<defs>${rounded('j', '#ffffff', ink.accentLit, ink.accent)}</defs>${one(48, 42, 0.9)}${one(104, 26, 0.45)}${one(-6, 60, 0.38)}`;
  },
} as const;
