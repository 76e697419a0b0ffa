import {
  Brush,
  ChefHat,
  Clapperboard,
  Expand,
  GalleryThumbnails,
  IdCard,
  Music,
  Package,
  Rotate3d,
  Shirt,
  SunMedium,
} from 'lucide-react';
import { architectureIdentity } from '#components/architectures/identity';

/** Icons of the recipes in the bundled catalog; a recipe of the operator has the chef's hat. */
const SIGNS: Record<string, typeof ChefHat> = {
  change_outfit: Shirt,
  character_sheet: IdCard,
  edit_region: Brush,
  other_angles: Rotate3d,
  outpaint: Expand,
  product_shot: Package,
  relight: SunMedium,
  score_video: Music,
  storyboard: Clapperboard,
  thumbnail: GalleryThumbnails,
};

/** Shown for a recipe without an image: its icon on a background of its own hue. */
export function RecipeSign({ id }: { id: string }) {
  const Sign = SIGNS[id] ?? ChefHat;
  const { color } = architectureIdentity(id);
  return (
    <div
      className="grid aspect-3/2 place-items-center self-start rounded-md text-ink"
      style={{
        background: `linear-gradient(145deg, color-mix(in oklab, ${color} 42%, var(--color-sunk)), color-mix(in oklab, ${color} 12%, var(--color-sunk)))`,
      }}
    >
      <Sign className="size-14 opacity-80 max-sm:size-8" strokeWidth={1.1} aria-hidden />
    </div>
  );
}
