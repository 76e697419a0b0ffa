import { draw, turn } from '#components/architectures/draw-blossom';
import type { Fruit } from '#components/architectures/identity';

/*
 * Drawings of the fruit, each on 48 × 48 units, with flat colours: body, shade and highlight. They are markup strings,
 * because as React elements each would consist of about thirty.
 */
const LEAF = '#5f8a3c';
const LEAF_DARK = '#47702c';
const STEM = '#6d5238';

const leaf = (place: string) => draw`
  <g transform="${place}">
    <path d="M0 0C2-6 9-9 16-8 14-1 7 3 0 0Z" fill="${LEAF}"/>
    <path d="M0 0C5-2 10-5 16-8 14-1 7 3 0 0Z" fill="${LEAF_DARK}"/>
  </g>`;
const calyx = (x: number, y: number, size: number) => draw`
  <g transform="translate(${x} ${y}) scale(${size})" fill="${LEAF}">
    ${[-78, -40, 0, 40, 78].map(
      angle => draw`
      <path d="M0 0C-3-3-3-8 0-11 3-8 3-3 0 0Z" transform="rotate(${180 + angle})" fill="${angle % 80 ? LEAF : LEAF_DARK}"/>
    `,
    )}
    <path d="M-1-1C-1-4 0-6 2-8" stroke="${STEM}" stroke-width="2" fill="none" stroke-linecap="round"/>
  </g>`;

export const FRUIT_DRAWINGS: Record<Fruit, string> = {
  mango: draw`
      <path d="M28 8C40 8 46 21 41 32 37 42 25 46 15 42 5 38 2 28 8 21 14 14 18 8 28 8Z" fill="#f0ad3c"/>
      <path d="M28 8C40 8 46 21 41 32 38.5 38.5 32.5 42.5 26 43.5 36 35 37 18 25.5 8.3Z" fill="#c8402c"/>
      <path d="M13 24C16 19 19 16 22 14.5" stroke="#f9d68b" stroke-width="2.4" fill="none" stroke-linecap="round"/>
      <path d="M28 9C28 6 29 4 31 2.5" stroke="${STEM}" stroke-width="2.2" fill="none" stroke-linecap="round"/>
      ${leaf('translate(28 7) rotate(200)')}`,
  kiwi: draw`
      <ellipse cx="24" cy="25" rx="21" ry="19.5" fill="#7a5a37"/>
      <ellipse cx="24" cy="25" rx="18.8" ry="17.3" fill="#85a838"/>
      <ellipse cx="24" cy="25" rx="13.5" ry="12.4" fill="#a9c558"/>
      <ellipse cx="24" cy="25" rx="5.6" ry="5" fill="#eef0c4"/>
      ${turn(14).map(
        angle => draw`
        <ellipse cx="24" cy="16.6" rx=".95" ry="1.9" fill="#2c2a1c" transform="rotate(${angle} 24 25)"/>
      `,
      )}`,
  blueberry: draw`
      ${leaf('translate(27 11) rotate(8)')}
      <circle cx="23" cy="27" r="17.5" fill="#5268b4"/>
      <path d="M40.5 27A17.5 17.5 0 0 1 10 38.7C24 43 37 35 37.5 17.2 39.4 20 40.5 23.3 40.5 27Z" fill="#3b4c8f"/>
      <path d="M23 12 25.3 16.8 30.5 15.7 28.2 20.4 32 24 26.8 24.6 25.5 29.5 22 25.6 17.2 27.6 18.2 22.5 13.8 19.6 19 18.6Z" fill="#2f3d78"/>
      <circle cx="22.8" cy="21" r="3" fill="#7d90d0"/>
      <path d="M10 27C10 31 11.5 34 14 36.5" stroke="#93a5dd" stroke-width="2.2" fill="none" stroke-linecap="round"/>`,
  guava: draw`
      <path d="M24 3.5C28.5 3.5 29 8.5 33.5 11.5 42 17 45.5 28 41 36 36.5 45.5 11.5 45.5 7 36 2.5 28 6 17 14.5 11.5 19 8.5 19.5 3.5 24 3.5Z" fill="#86a645"/>
      <path d="M24 8.5C26.5 8.5 27.5 11.5 31 14 38 18.5 41 27.5 37.5 34 33.5 41.5 14.5 41.5 10.5 34 7 27.5 10 18.5 17 14 20.5 11.5 21.5 8.5 24 8.5Z" fill="#f4c9b4"/>
      <path d="M24 12C26 12.5 27 14 29.5 16 35.5 20 38 27.5 35 33 31.5 39 16.5 39 13 33 10 27.5 12.5 20 18.5 16 21 14 22 12.5 24 12Z" fill="#e97a79"/>
      <ellipse cx="24" cy="28" rx="6.5" ry="7.5" fill="#f3a39b"/>
      ${turn(9).map(
        angle => draw`
        <ellipse cx="24" cy="21.6" rx="1" ry="1.6" fill="#fbe7cf" transform="rotate(${angle} 24 28)"/>
      `,
      )}`,
  cherry: draw`
      <path d="M14 28C16 18 21 9 29 4M34 26C34 17 32 9 29 4" stroke="${STEM}" stroke-width="2.2" fill="none" stroke-linecap="round"/>
      ${leaf('translate(29 5) rotate(18)')}
      <circle cx="34" cy="34" r="11" fill="#a3182a"/>
      <path d="M41 29.5A11 11 0 0 1 27.5 43C35 43 41 37.5 41 29.5Z" fill="#7f1022"/>
      <circle cx="14.5" cy="34" r="11.5" fill="#cc2733"/>
      <path d="M23.6 26.9A11.5 11.5 0 0 1 7.5 43.1C17 43.5 23.5 36.5 23.6 26.9Z" fill="#a3182a"/>
      <path d="M7 33C7.2 30 8.8 27.8 11 26.7M27.5 33C27.8 31 28.8 29.4 30.3 28.5" stroke="#f0918b" stroke-width="2.2" fill="none" stroke-linecap="round"/>`,
  raspberry: draw`
      <path d="M24 46C14 42 6 28 9 18 14 12 34 12 39 18 42 28 34 42 24 46Z" fill="#a0235a"/>
      ${[
        [12.5, 20],
        [20.2, 19],
        [27.9, 19],
        [35.5, 20],
        [15.5, 27.3],
        [24, 27],
        [32.5, 27.3],
        [19.3, 34.3],
        [28.7, 34.3],
        [24, 41],
      ].map(
        ([x, y], i) => draw`
        <g>
          <circle cx="${x}" cy="${y}" r="4.7" fill="${i % 3 === 2 ? '#c9337a' : '#dc4c8b'}"/>
          <circle cx="${(x ?? 0) - 1.4}" cy="${(y ?? 0) - 1.5}" r="1.2" fill="#f4a9c8"/>
        </g>
      `,
      )}
      ${calyx(24, 12, 1.05)}`,
  berry: draw`
      <path d="M24 46C13 40 4.5 27 7 18.5 9 11.5 18 11 24 14 30 11 39 11.5 41 18.5 43.5 27 35 40 24 46Z" fill="#e2453c"/>
      <path d="M35 12.6C38.5 13.5 40.3 15.7 41 18.5 43.5 27 35 40 24 46 33 36 37.5 24 35 12.6Z" fill="#b92a2f"/>
      ${[
        [14, 21],
        [22, 20.5],
        [30, 21],
        [17.5, 28],
        [25.5, 28],
        [33, 28],
        [22, 35],
        [29, 35],
      ].map(
        ([x, y]) => draw`
        <ellipse cx="${x}" cy="${y}" rx="1" ry="1.7" fill="#fbd78b"/>
      `,
      )}
      ${calyx(24, 12.5, 1.15)}`,
  melon: draw`
      <g transform="translate(1.5 3) rotate(-14 24 24) scale(.94)">
      <path d="M1.5 14.5A22.5 22.5 0 0 0 46.5 14.5Z" fill="#6b8f45"/>
      <path d="M4.5 14.5A19.5 19.5 0 0 0 43.5 14.5Z" fill="#dfe2a2"/>
      <path d="M7 14.5A17 17 0 0 0 41 14.5Z" fill="#efa24f"/>
      <path d="M13 14.5A11 11 0 0 0 35 14.5Z" fill="#f7c583"/>
      ${[
        [18, 18.5, 32],
        [21.8, 21.3, 14],
        [26.2, 21.3, -14],
        [30, 18.5, -32],
      ].map(
        ([x, y, angle]) => draw`
        <ellipse cx="${x}" cy="${y}" rx="1.2" ry="2.4" fill="#fff4d8" transform="rotate(${angle} ${x} ${y})"/>
      `,
      )}
    </g>`,
  plum: draw`
      <path d="M25 11C26 8 27 5 30 3" stroke="${STEM}" stroke-width="2.2" fill="none" stroke-linecap="round"/>
      ${leaf('translate(26 9) rotate(196)')}
      <path d="M25 11C34 7 44 15 43 27 42 38 33 45 23 44.5 12 44 4 36 5 25.5 6 15 16 7 25 11Z" fill="#7c4a8f"/>
      <path d="M25 11C34 7 44 15 43 27 42 38 33 45 23 44.5 34 38 36 20 25 11Z" fill="#5a3069"/>
      <path d="M10.5 28C10 21 13.5 16 18.5 14.8" stroke="#bb93c9" stroke-width="2.4" fill="none" stroke-linecap="round"/>`,
  lemon: draw`
      <g transform="translate(2.5 0) rotate(-24 24 26) scale(.95)">
        <path d="M1.5 26C4.5 25 6 23 8.5 19 14 9.5 34 9.5 39.5 19 42 23 43.5 25 46.5 26 43.5 27 42 29 39.5 33 34 42.5 14 42.5 8.5 33 6 29 4.5 27 1.5 26Z" fill="#f0c52f"/>
        <path d="M46.5 26C43.5 27 42 29 39.5 33 34 42.5 14 42.5 8.5 33 20 38.5 34 36 39 18.5 42 23 43.5 25 46.5 26Z" fill="#d9a116"/>
        <path d="M13 21.5C15.5 18.3 18.5 16.8 22 16.3" stroke="#fbe9a4" stroke-width="2.4" fill="none" stroke-linecap="round"/>
      </g>
      ${leaf('translate(8 35) rotate(-78) scale(.85)')}`,
};
