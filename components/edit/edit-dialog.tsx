'use client';

import { useQuery } from '@tanstack/react-query';
import { offerCarried, type Carried } from '#components/carry/carried';
import { nearestShape } from '#components/carry/nearest-shape';
import { largerCanvas, markedCopy, maskOf } from '#components/edit/compose';
import { useEditDraft } from '#components/edit/edit-draft';
import { FrameDrawer } from '#components/edit/frame-drawer';
import { frameOf, type Reach } from '#components/edit/mask';
import { MaskPainter } from '#components/edit/mask-painter';
import { useSend } from '#components/edit/use-send';
import { fetchMedia } from '#components/media/fetch-media';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { GemAmount } from '#components/ui/gem-amount';
import { QueryView } from '#components/ui/query-view';
import { SegmentedControl } from '#components/ui/segmented-control';
import { Select } from '#components/ui/select';
import { Textarea } from '#components/ui/textarea';
import { catalogQuery } from '#lib/client/queries';
import { recipesQuery } from '#lib/client/recipe-queries';
import type { RecipeWire } from '#lib/contract/recipe-schemas';
import { nearestToken } from '#lib/output-spec';

const NOWHERE: Reach = { left: 0, right: 0, top: 0, bottom: 0 };
/** Ways of editing; `value` is the id of the recipe. */
const WAYS = [
  { value: 'edit_region', label: 'A region', ask: 'What should be there instead', hint: 'a red sail, no lamp post' },
  {
    value: 'outpaint',
    label: 'Beyond the edges',
    ask: 'What should be there',
    hint: 'empty: more of the same',
  },
] as const;

/** Edits an image: a painted region, or beyond its edges. The image can also be passed to any model. */
export function EditDialog({ carried, onClose }: { carried: Carried; onClose: () => void }) {
  const picture = useQuery({
    queryKey: ['picture', carried.url],
    queryFn: async () => createImageBitmap(await fetchMedia(carried.url)),
    gcTime: 0,
    staleTime: Infinity,
  });
  const recipes = useQuery(recipesQuery);
  return (
    <Dialog
      open
      shape="wide"
      title="Edit"
      description={<span className="line-clamp-1">{carried.name}</span>}
      onOpenChange={open => !open && onClose()}
    >
      <QueryView query={picture}>
        {bitmap => (
          <QueryView query={recipes}>
            {list => <Editing carried={carried} picture={bitmap} recipes={list} onClose={onClose} />}
          </QueryView>
        )}
      </QueryView>
    </Dialog>
  );
}

function Editing({
  carried,
  picture,
  recipes,
  onClose,
}: {
  carried: Carried;
  picture: ImageBitmap;
  recipes: readonly RecipeWire[];
  onClose: () => void;
}) {
  const ways = WAYS.filter(({ value }) => recipes.some(({ id }) => id === value));
  const { draft, change, keyOfDraft, forgetKey, forget } = useEditDraft(carried.url, {
    marks: [],
    feather: Math.round(Math.max(picture.width, picture.height) / 100),
    reach: NOWHERE,
    words: '',
  });
  const { marks, feather, reach, words } = draft;
  const way = (ways.find(({ value }) => value === draft.way) ?? ways[0])?.value;
  const { data: entries = [] } = useQuery(catalogQuery);
  const masked = entries.filter(
    ({ type, mask_input, image_inputs }) => type === 'image' && mask_input && image_inputs.references,
  );
  const model = way === 'edit_region' ? masked.find(({ id }) => id === draft.model) : undefined;
  const { byRecipe, byModel, fault, isSending } = useSend({ onSent: forget, onRefused: forgetKey, onClose });
  const recipe = recipes.find(({ id }) => id === way);
  const { ask, hint } = WAYS.find(({ value }) => value === way) ?? WAYS[0];
  const tokens = (recipe?.input_schema.properties.aspect_ratio?.enum as string[] | undefined) ?? ['1:1'];
  const isReady = way === 'outpaint' ? Object.values(reach).some(Boolean) : marks.length > 0 && words.trim() !== '';

  async function go() {
    const said = words.trim();
    const shape = picture.width / picture.height;
    if (model) {
      await byModel(model, keyOfDraft(), maskOf(picture, marks, feather), url => ({
        ...nearestShape(model, {}, shape),
        prompt: said,
        [model.image_inputs.references!.field]: carried.url,
        [model.mask_input!]: url,
      }));
    } else if (recipe?.id === 'edit_region') {
      const aspect_ratio = nearestToken(tokens, shape)!;
      await byRecipe(recipe, keyOfDraft(), markedCopy(picture, marks, feather), url => {
        return { picture: carried.url, marked: url, change: said, aspect_ratio };
      });
    } else if (recipe) {
      const aspect_ratio = frameOf(picture, reach, tokens).token;
      await byRecipe(recipe, keyOfDraft(), largerCanvas(picture, reach, tokens), url => {
        return { picture: carried.url, canvas: url, aspect_ratio, ...(said && { beyond: said }) };
      });
    }
  }

  return (
    <form
      className="grid grid-cols-1 gap-4 [--tallest:min(52dvh,40rem)] max-md:[--tallest:38dvh]"
      onSubmit={event => {
        event.preventDefault();
        void go();
      }}
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        {way && (
          <SegmentedControl
            label="What to edit"
            segments={ways}
            value={way}
            onValueChange={next => change({ way: next })}
          />
        )}
        <Button
          size="sm"
          tone="ghost"
          onClick={() => offerCarried({ carried, intent: 'edit-with' })}
          className="shrink text-left whitespace-normal"
        >
          The whole image, with a model…
        </Button>
      </div>
      {way === 'edit_region' && (
        <MaskPainter
          picture={picture}
          marks={marks}
          onMarks={next => change({ marks: next })}
          feather={feather}
          onFeather={pixels => change({ feather: pixels })}
        />
      )}
      {way === 'outpaint' && (
        <FrameDrawer picture={picture} reach={reach} tokens={tokens} onReach={next => change({ reach: next })} />
      )}
      <p role="alert" className="text-sm font-medium text-danger empty:hidden">
        {fault}
      </p>
      {recipe && (
        // sticky on phones, so that the prompt stays visible together with the image
        <div className="flex flex-wrap items-end gap-3 max-md:sticky max-md:-bottom-6 max-md:-mx-6 max-md:-mb-6 max-md:border-t max-md:bg-raised max-md:px-6 max-md:py-3 short:static">
          <label className="grid min-w-[min(15rem,100%)] grow gap-1.5 max-md:min-w-0 max-md:basis-36 text-xs text-faint">
            {ask}
            <Textarea
              rows={1}
              className="max-md:min-h-12"
              value={words}
              placeholder={hint}
              onChange={event => change({ words: event.target.value })}
            />
          </label>
          {way === 'edit_region' && masked.length > 0 && (
            <div className="grid gap-1.5 text-xs text-faint">
              <span aria-hidden>With</span>
              <Select
                aria-label="With"
                placeholder={entries.find(({ id }) => id === recipe.steps[0]?.architecture)?.name ?? recipe.name}
                options={masked.map(({ id, name }) => ({ value: id, label: name }))}
                value={model?.id ?? ''}
                onChange={event => change({ model: event.target.value })}
              />
            </div>
          )}
          <Button type="submit" tone="primary" size="lg" busy={isSending} disabled={!isReady}>
            Edit <GemAmount gems={model?.gems ?? recipe.gems} className="opacity-90" />
          </Button>
        </div>
      )}
    </form>
  );
}
