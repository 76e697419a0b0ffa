'use client';

import { useState } from 'react';
import { useRouter } from 'next/navigation';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { offerCarried, type Carried } from '#components/carry/carried';
import { largerCanvas, markedCopy } from '#components/edit/compose';
import { FrameDrawer } from '#components/edit/frame-drawer';
import { frameOf, nearestRatio, type Mark, type Reach } from '#components/edit/mask';
import { MaskPainter } from '#components/edit/mask-painter';
import { fetchMedia } from '#components/media/fetch-media';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { GemAmount } from '#components/ui/gem-amount';
import { QueryView } from '#components/ui/query-view';
import { SegmentedControl } from '#components/ui/segmented-control';
import { Textarea } from '#components/ui/textarea';
import { api } from '#lib/client/queries';
import { recipesQuery, runsQuery } from '#lib/client/recipe-queries';
import { uploadFile } from '#lib/client/upload-file';
import type { RecipeWire } from '#lib/contract/recipe-schemas';

const NOWHERE: Reach = { left: 0, right: 0, top: 0, bottom: 0 };
/** What each way of editing is called, and the recipe that does it. */
const WAYS = [
  { value: 'edit_region', label: 'A region', ask: 'What is to be there instead', hint: 'a red sail, no lamp post' },
  {
    value: 'outpaint',
    label: 'Beyond the edges',
    ask: 'What there is to see there',
    hint: 'left empty: more of the same',
  },
] as const;
type Way = (typeof WAYS)[number]['value'];

/** Edits a picture: a region that is painted over, or what lies beyond its edges; any model can be given it as well. */
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
  const [way, setWay] = useState<Way | undefined>(ways[0]?.value);
  const [marks, setMarks] = useState<readonly Mark[]>([]);
  const [feather, setFeather] = useState(Math.round(Math.max(picture.width, picture.height) / 100));
  const [reach, setReach] = useState(NOWHERE);
  const [words, setWords] = useState('');
  const { send, fault, isSending } = useSend(onClose);
  const recipe = recipes.find(({ id }) => id === way);
  const { ask, hint } = WAYS.find(({ value }) => value === way) ?? WAYS[0];
  const tokens = (recipe?.input_schema.properties.aspect_ratio?.enum as string[] | undefined) ?? ['1:1'];
  const isReady = way === 'outpaint' ? Object.values(reach).some(Boolean) : marks.length > 0 && words.trim() !== '';

  async function go() {
    if (!recipe) return;
    const isRegion = recipe.id === 'edit_region';
    const copy = isRegion ? await markedCopy(picture, marks, feather) : await largerCanvas(picture, reach, tokens);
    const aspect_ratio = isRegion
      ? nearestRatio(tokens, picture.width / picture.height)
      : frameOf(picture, reach, tokens).token;
    const said = words.trim();
    await send(recipe, copy, ({ url }) =>
      isRegion
        ? { picture: carried.url, marked: url, change: said, aspect_ratio }
        : { picture: carried.url, canvas: url, aspect_ratio, ...(said && { beyond: said }) },
    );
  }

  return (
    <form
      className="grid grid-cols-1 gap-4"
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
            onValueChange={next => setWay(next as Way)}
          />
        )}
        <Button size="sm" tone="ghost" onClick={() => offerCarried({ carried, intent: 'edit-with' })}>
          All of it, with a model…
        </Button>
      </div>
      {way === 'edit_region' && (
        <MaskPainter picture={picture} marks={marks} onMarks={setMarks} feather={feather} onFeather={setFeather} />
      )}
      {way === 'outpaint' && <FrameDrawer picture={picture} reach={reach} tokens={tokens} onReach={setReach} />}
      {recipe && (
        <div className="flex flex-wrap items-end gap-3">
          <label className="grid min-w-60 grow gap-1.5 text-xs text-faint">
            {ask}
            <Textarea rows={1} value={words} placeholder={hint} onChange={event => setWords(event.target.value)} />
          </label>
          <Button type="submit" tone="primary" size="lg" busy={isSending} disabled={!isReady}>
            Edit <GemAmount gems={recipe.gems} className="opacity-90" />
          </Button>
        </div>
      )}
      <p role="alert" className="text-sm font-medium text-danger empty:hidden">
        {fault}
      </p>
    </form>
  );
}

/** Uploads the copy, starts the run and goes to where it is seen. A press that is repeated sends the same run. */
function useSend(onClose: () => void) {
  const router = useRouter();
  const client = useQueryClient();
  const [key] = useState(() => crypto.randomUUID());
  const [fault, setFault] = useState('');
  const [isSending, setSending] = useState(false);

  async function send(recipe: RecipeWire, copy: Blob, inputsOf: (copy: { url: string }) => object) {
    setSending(true);
    setFault('');
    try {
      const upload = await uploadFile(new File([copy], 'marked.png', { type: copy.type }), { media: 'image' });
      const body = { ...inputsOf(upload) };
      const headers = { 'idempotency-key': key, 'max-gems': String(recipe.gems) };
      await api.startRun({ params: { recipe: recipe.id }, body, headers });
      void client.invalidateQueries({ queryKey: runsQuery(recipe.id).queryKey });
      onClose();
      router.push(`/recipes/${recipe.id}`);
    } catch (error) {
      setFault((error as Error).message);
      setSending(false);
    }
  }
  return { send, fault, isSending };
}
