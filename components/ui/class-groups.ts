import type { ClassValidator } from 'tailwind-merge';

const isAnything: ClassValidator = () => true;

/** Classes whose first part says what they set, whatever comes after it. */
const STEMS =
  'p px py pt pr pb pl m mx my mt mr mb ml gap gap-x gap-y w h size min-w min-h max-w max-h inset inset-x inset-y top right bottom left ' +
  'rounded rounded-t rounded-b rounded-l rounded-r border-spacing grid-cols grid-rows col-span col-start row-span row-start columns fill leading tracking ' +
  'items justify-items justify-self self content place-items justify order basis grow shrink z opacity cursor aspect list align translate ' +
  'translate-x translate-y scale rotate blur transition duration ease animate resize line-clamp underline-offset outline-offset whitespace select pointer-events ' +
  'scroll-m scroll-mt scroll-mr scroll-mb scroll-ml scroll-p scroll-pt scroll-pb space-x space-y ms me ps pe start end row-end col-end ' +
  'auto-cols auto-rows place-content place-self touch will-change accent caret indent delay brightness contrast saturate grayscale ' +
  'backdrop-blur drop-shadow mix-blend scroll snap origin';

/** Classes that set the same thing, each under a word of its own. */
const WORDS = {
  display: ['block', 'inline', 'inline-block', 'flex', 'inline-flex', 'grid', 'inline-grid', 'contents', 'hidden'],
  position: ['static', 'relative', 'absolute', 'sticky', 'fixed'],
  visibility: ['visible', 'invisible'],
  case: ['uppercase', 'lowercase', 'capitalize', 'normal-case'],
  line: ['underline', 'line-through', 'no-underline'],
  slant: ['italic', 'not-italic'],
  cut: ['truncate', 'text-ellipsis', 'text-clip'],
  break: [{ break: ['normal', 'words', 'all', 'keep'] }],
  wrap: [{ flex: ['wrap', 'nowrap', 'wrap-reverse'] }],
  direction: [{ flex: ['row', 'row-reverse', 'col', 'col-reverse'] }],
  flex: [{ flex: [isAnything] }],
  overflow: [{ overflow: ['auto', 'hidden', 'clip', 'visible', 'scroll'] }],
  'overflow-x': [{ 'overflow-x': [isAnything] }],
  'overflow-y': [{ 'overflow-y': [isAnything] }],
  fit: [{ object: ['contain', 'cover', 'fill', 'none', 'scale-down'] }],
};

const isLength: ClassValidator = value => /^(\d|\[[\d.]+(px|r?em|%)\])/.test(value);
const isImage: ClassValidator = value => /^\[.*(gradient|url)\(/.test(value);
const isTextSize: ClassValidator = value => /^(xs|sm|base|lg|\d?xl|title|head|display)(\/|$)/.test(value);

/** Words that begin what sets several things: by the value it is told which. */
const BY_VALUE = {
  'text-align': [{ text: ['left', 'center', 'right', 'justify', 'start', 'end'] }],
  'text-wrap': [{ text: ['wrap', 'nowrap', 'balance', 'pretty'] }],
  'text-size': [{ text: [isTextSize, isLength] }],
  'text-colour': [{ text: [isAnything] }],
  'font-weight': [{ font: ['normal', 'medium', 'semibold', 'bold'] }],
  'font-family': [{ font: [isAnything] }],
  'border-style': [{ border: ['solid', 'dashed', 'dotted', 'none'] }],
  'border-collapse': [{ border: ['collapse', 'separate'] }],
  border: [{ border: ['', isLength] }],
  'border-x': [{ 'border-x': ['', isLength] }],
  'border-y': [{ 'border-y': ['', isLength] }],
  'border-t': [{ 'border-t': ['', isLength] }],
  'border-r': [{ 'border-r': ['', isLength] }],
  'border-b': [{ 'border-b': ['', isLength] }],
  'border-l': [{ 'border-l': ['', isLength] }],
  'border-colour': [{ border: [isAnything] }],
  'outline-style': [{ outline: ['none', 'hidden', 'dashed', 'dotted', 'double', ''] }],
  'outline-width': [{ outline: [isLength] }],
  'outline-colour': [{ outline: [isAnything] }],
  'decoration-width': [{ decoration: [isLength] }],
  'decoration-colour': [{ decoration: ['faint', 'accent'] }],
  'stroke-width': [{ stroke: [isLength] }],
  'stroke-colour': [{ stroke: [isAnything] }],
  'bg-image': [{ bg: ['none', isImage] }],
  'bg-colour': [{ bg: [isAnything] }],
  shadow: [{ shadow: ['', isAnything] }],
};

/** What a class can set, as far as this project has classes for it; a test holds it against the whole of Tailwind. */
export const CLASS_GROUPS = {
  ...Object.fromEntries(STEMS.split(' ').map(stem => [stem, [{ [stem]: ['', isAnything] }]])),
  ...WORDS,
  ...BY_VALUE,
};

/** What each of them sets beside itself. */
export const SETS_ALSO: Record<string, string[]> = {
  p: ['px', 'py', 'pt', 'pr', 'pb', 'pl'],
  px: ['pr', 'pl'],
  py: ['pt', 'pb'],
  m: ['mx', 'my', 'mt', 'mr', 'mb', 'ml'],
  mx: ['mr', 'ml'],
  my: ['mt', 'mb'],
  gap: ['gap-x', 'gap-y'],
  size: ['w', 'h'],
  inset: ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left'],
  'inset-x': ['right', 'left'],
  'inset-y': ['top', 'bottom'],
  rounded: ['rounded-t', 'rounded-b', 'rounded-l', 'rounded-r'],
  border: ['border-x', 'border-y', 'border-t', 'border-r', 'border-b', 'border-l'],
  'border-x': ['border-r', 'border-l'],
  'border-y': ['border-t', 'border-b'],
  flex: ['basis', 'grow', 'shrink'],
  overflow: ['overflow-x', 'overflow-y'],
  translate: ['translate-x', 'translate-y'],
  'line-clamp': ['display', 'overflow'],
  'text-size': ['leading'],
};
