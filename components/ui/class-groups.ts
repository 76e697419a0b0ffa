// What a class sets, for the Tailwind classes used in this project; a test compares the result with all of Tailwind.

/** Prefixes that determine what a class sets, whatever value follows. */
const STEMS = new Set(
  (
    'p px py pt pr pb pl m mx my mt mr mb ml gap gap-x gap-y w h size min-w min-h max-w max-h inset inset-x inset-y top right bottom left ' +
    'rounded rounded-t rounded-b rounded-l rounded-r border-spacing grid-cols grid-rows col-span col-start row-span row-start columns fill leading tracking ' +
    'items justify-items justify-self self content place-items justify order basis grow shrink z opacity cursor aspect list align translate ' +
    'translate-x translate-y scale rotate blur transition duration ease animate resize line-clamp underline-offset outline-offset whitespace select pointer-events ' +
    'scroll-m scroll-mt scroll-mr scroll-mb scroll-ml scroll-p scroll-pt scroll-pb space-x space-y ms me ps pe start end row-end col-end ' +
    'auto-cols auto-rows place-content place-self touch will-change accent caret indent delay brightness contrast saturate grayscale ' +
    'backdrop-blur drop-shadow mix-blend scroll snap origin overflow-x overflow-y shadow border-x border-y border-t border-r border-b border-l'
  ).split(' '),
);

/** Classes without a common prefix, grouped by what they set. */
const WORDS = new Map(
  Object.entries({
    display: 'block inline inline-block flex inline-flex grid inline-grid contents hidden',
    position: 'static relative absolute sticky fixed',
    visibility: 'visible invisible',
    case: 'uppercase lowercase capitalize normal-case',
    line: 'underline line-through no-underline',
    slant: 'italic not-italic',
    cut: 'truncate text-ellipsis text-clip',
  }).flatMap(([group, words]) => words.split(' ').map(word => [word, group] as const)),
);

const LENGTH = /^(\d|\[[\d.]+(px|r?em|%)\])/;

/** Prefixes whose value determines what is set: the first match counts, a group without a pattern takes the rest. */
const BY_VALUE: Record<string, readonly [group: string, value?: RegExp][]> = {
  break: [['break', /^(normal|words|all|keep)$/]],
  flex: [['wrap', /^(no)?wrap/], ['direction', /^(row|col)/], ['flex']],
  overflow: [['overflow', /^(auto|hidden|clip|visible|scroll)$/]],
  object: [['fit', /^(contain|cover|fill|none|scale-down)$/]],
  text: [
    ['text-align', /^(left|center|right|justify|start|end)$/],
    ['text-wrap', /^(wrap|nowrap|balance|pretty)$/],
    ['text-size', /^(xs|sm|base|lg|\d?xl|title|head|display)(\/|$)/],
    ['text-size', LENGTH],
    ['text-colour'],
  ],
  font: [['font-weight', /^(normal|medium|semibold|bold)$/], ['font-family']],
  border: [
    ['border-style', /^(solid|dashed|dotted|none)$/],
    ['border-collapse', /^(collapse|separate)$/],
    ['border', /^$/],
    ['border', LENGTH],
    ['border-colour'],
  ],
  outline: [['outline-style', /^(none|hidden|dashed|dotted|double|)$/], ['outline-width', LENGTH], ['outline-colour']],
  decoration: [
    ['decoration-width', LENGTH],
    ['decoration-colour', /^(faint|accent)$/],
  ],
  stroke: [['stroke-width', LENGTH], ['stroke-colour']],
  bg: [['bg-image', /^(none$|\[.*(gradient|url)\()/], ['bg-colour']],
};

/** Returns what a class sets, given without variants; undefined for a class that is not Tailwind's. */
export function groupOf(name: string): string | undefined {
  if (name.startsWith('[')) return name.split(':')[0];
  const word = WORDS.get(name);
  if (word) return word;
  const whole = name.replace(/^-/, '');
  // the longest known prefix counts
  let stem = whole.replace(/-?[[(].*/, '');
  while (stem) {
    if (Object.hasOwn(BY_VALUE, stem)) {
      const value = whole.slice(stem.length + 1);
      return BY_VALUE[stem]!.find(([, fits]) => !fits || fits.test(value))?.[0];
    }
    if (STEMS.has(stem)) return stem;
    stem = stem.slice(0, Math.max(stem.lastIndexOf('-'), 0));
  }
  return undefined;
}

/** Groups that a group overrides besides itself. */
export const SETS_ALSO: Record<string, string> = {
  p: 'px py pt pr pb pl',
  px: 'pr pl',
  py: 'pt pb',
  m: 'mx my mt mr mb ml',
  mx: 'mr ml',
  my: 'mt mb',
  gap: 'gap-x gap-y',
  size: 'w h',
  inset: 'inset-x inset-y top right bottom left',
  'inset-x': 'right left',
  'inset-y': 'top bottom',
  rounded: 'rounded-t rounded-b rounded-l rounded-r',
  border: 'border-x border-y border-t border-r border-b border-l',
  'border-x': 'border-r border-l',
  'border-y': 'border-t border-b',
  flex: 'basis grow shrink',
  overflow: 'overflow-x overflow-y',
  translate: 'translate-x translate-y',
  'line-clamp': 'display overflow',
  'text-size': 'leading',
};
