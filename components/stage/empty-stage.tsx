'use client';

import { Emblem } from '#components/architectures/emblem';
import { RequestMedia } from '#components/generations/request-media';
import { useExample } from '#components/library/use-examples';
import { fitConfig } from '#components/studio/config';
import { changeDraft } from '#components/studio/drafts';
import { showComposer } from '#components/studio/show-composer';
import { Button } from '#components/ui/button';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { ExampleWire } from '#lib/contract/library-schemas';

/** Prompts to start with, for models without an example. */
const PROMPTS = {
  image: ['a lighthouse at dusk', 'pears on a table, oil painting', 'a city street in the rain, neon'],
  video: ['a sailing boat at sunset', 'northern lights over mountains', 'snow falling on a quiet forest'],
  audio: ['soft rain on a tin roof', 'a slow waltz on a piano', 'waves on a pebble beach'],
};

/** The stage of an account without results: an example of the model, if there is one, or prompts to start with. */
export function EmptyStage({ entry }: { entry: CatalogEntry }) {
  const example = useExample(entry.id);
  return (
    <div className="stage-waiting">
      {example ? <Example entry={entry} example={example} /> : <Emblem id={entry.id} className="size-24" />}
      <h2 className="font-title text-head">Nothing here yet</h2>
      <p className="max-w-sm text-soft">
        Say what you want to {entry.type === 'audio' ? 'hear' : 'see'}, and press Create. It appears here; you may leave
        the page meanwhile.
      </p>
      {!example && <Ideas entry={entry} />}
    </div>
  );
}

function Ideas({ entry }: { entry: CatalogEntry }) {
  // the model requires more than a prompt
  if (entry.input_schema.required.some(name => name !== 'prompt')) return null;
  const take = (prompt: string) => {
    changeDraft(entry, config => ({ ...config, prompt }));
    showComposer();
  };
  return (
    <ul aria-label="Ideas to start with" className="mt-2 flex max-w-lg flex-wrap justify-center gap-2">
      {PROMPTS[entry.type].map(prompt => (
        <li key={prompt}>
          <Button size="sm" onClick={() => take(prompt)}>
            {prompt}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** An example of the model, and its prompt to start with. */
function Example({ entry, example }: { entry: CatalogEntry; example: ExampleWire }) {
  const { request_id, type, result, prompt, settings } = example;
  const aspect = result.height > 0 ? result.width / result.height : 2.5;
  const take = () => {
    const { seed: _seed, ...given } = settings ?? {};
    changeDraft(entry, () => fitConfig(entry, given).config);
    showComposer();
  };
  const request = {
    request_id,
    type,
    result,
    architecture: entry.id,
    prompt: prompt ?? '',
    status: 'completed' as const,
    error: null,
    billing: { mode: 'gems' as const, gems_charged: 0 },
  };
  return (
    <figure className="mb-4 grid justify-items-center gap-4">
      <div
        data-media
        className="relative overflow-hidden rounded-md bg-raised"
        style={{ aspectRatio: aspect, width: `min(100%, ${aspect} * min(52dvh, 30rem))`, minWidth: 'min(18rem, 70vw)' }}
      >
        <RequestMedia request={request} sizes="(width >= 64rem) 50vw, 90vw" isFirst isLarge />
      </div>
      <figcaption className="grid max-w-lg justify-items-center gap-3">
        <p dir="auto" className="font-title line-clamp-3 text-lg">
          {prompt}
        </p>
        <Button size="sm" onClick={take}>
          Use this prompt
        </Button>
      </figcaption>
    </figure>
  );
}
