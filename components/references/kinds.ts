import { AudioLines, Box, MapPin, PersonStanding, Shirt, type LucideIcon } from 'lucide-react';
import type { ReferenceKind } from '#lib/contract/cast-schemas';

interface KindWords {
  kind: ReferenceKind;
  one: string;
  many: string;
  hint: string;
  icon: LucideIcon;
}

/** Kinds of references, in the order of the page. */
export const KINDS: readonly KindWords[] = [
  { kind: 'location', one: 'Location', many: 'Locations', hint: 'Where it happens.', icon: MapPin },
  { kind: 'object', one: 'Object', many: 'Objects', hint: 'A thing that should look the same each time.', icon: Box },
  { kind: 'outfit', one: 'Outfit', many: 'Outfits', hint: 'What a person wears.', icon: Shirt },
  { kind: 'pose', one: 'Pose', many: 'Poses', hint: 'How a person stands or moves.', icon: PersonStanding },
  {
    kind: 'audio',
    one: 'Audio',
    many: 'Audio',
    hint: 'A tune, a noise or a voice, for models that listen.',
    icon: AudioLines,
  },
];
