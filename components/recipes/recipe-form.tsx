'use client';

import { useCallback, useMemo, useState } from 'react';
import { ShortRun } from '#components/recipes/short-run';
import type { RunPrice } from '#components/recipes/use-price';
import { blockedBy } from '#components/studio/blocked-by';
import { Bought } from '#components/studio/bought';
import { modelOf, type Config } from '#components/studio/config';
import { changeDraft } from '#components/studio/drafts';
import type { FormContext } from '#components/studio/form-context';
import { useMentionables } from '#components/studio/mentionables';
import type { Purse } from '#components/studio/purse';
import { SchemaForm } from '#components/studio/schema-form';
import { putAll } from '#components/studio/slots';
import { useMediaUploads } from '#components/studio/use-media-uploads';
import { Button } from '#components/ui/button';
import { GemAmount } from '#components/ui/gem-amount';
import { MENTION_KINDS, takesMentions, type MentionKind } from '#lib/catalog/architecture';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RecipeWire } from '#lib/contract/recipe-schemas';
import type { Issue } from '#lib/errors';

const NO_IMAGES: readonly string[] = [];

/** The inputs of a recipe, the price of a run with them, and the button. */
export function RecipeForm({
  recipe,
  entry,
  entries,
  revision,
  config,
  price,
  purse,
  issues,
  isBusy,
  onChange,
  onRun,
}: {
  recipe: RecipeWire;
  /** The recipe in the shape that the form reads. */
  entry: CatalogEntry;
  /** All available models. */
  entries: readonly CatalogEntry[];
  /** Revision of the catalog. */
  revision: string;
  config: Config;
  price: RunPrice;
  purse: Purse | undefined;
  /** Issues that the server reported, by JSON pointer. */
  issues: readonly Issue[];
  isBusy: boolean;
  /** Called before an input changes. */
  onChange: () => void;
  onRun: (gems: number) => void;
}) {
  const { id, steps } = recipe;
  const setField = useCallback(
    (field: string, value: unknown) => {
      onChange();
      changeDraft(entry, now => ({ ...now, [field]: value === '' ? undefined : value }));
    },
    [onChange, entry],
  );
  const addMedia = useCallback(
    (field: string, urls: readonly string[]) => {
      onChange();
      changeDraft(entry, now => putAll(entry, now, field, urls).config);
    },
    [onChange, entry],
  );
  const onUploaded = useCallback((field: string, url: string) => addMedia(field, [url]), [addMedia]);
  const uploads = useMediaUploads(onUploaded, entry.id);
  const takes = (kind: MentionKind) => steps.every(({ architecture }) => takesByDefault(entries, architecture, kind));
  const mentionables = useMentionables(takes, NO_IMAGES);
  const foreign = useMemo(() => new Set(price.mentions.map(({ handle }) => handle)), [price.mentions]);
  const [isMentioning, onMentioning] = useState(false);
  const context: FormContext = {
    entry,
    config,
    setField,
    addMedia,
    uploads,
    mentionables,
    canMention: MENTION_KINDS.some(takes),
    foreign,
    onMentioning,
  };
  // the handle that is being typed is not complete
  const asked = isMentioning ? [] : price.issues;
  const known = issues.length > 0 ? issues : asked;
  const total = price.isCharged ? price.gems : 0;
  const isShort = purse !== undefined && purse.balance < total;
  const blocked = blockedBy({
    total,
    balance: purse?.balance,
    count: 1,
    live: 0,
    mostLive: undefined,
    // issues of a refused run do not block: their cause may have passed, so the user may retry
    hasFaults: asked.some(({ path }) => path !== ''),
    pending: uploads.pending,
  });
  const note = known.find(({ path }) => path === '')?.message;
  return (
    <SchemaForm
      context={context}
      revision={revision}
      issues={known}
      onSubmit={() => onRun(price.gems)}
      foot={
        <div className="grid gap-2.5">
          <Button
            type="submit"
            tone="primary"
            size="lg"
            busy={isBusy || (price.isAsking && 'quiet')}
            disabled={!!blocked}
          >
            Run {price.isCharged && <GemAmount gems={price.gems} className="opacity-90" />}
          </Button>
          <p aria-live="polite" className="figures min-h-4.5 text-xs text-faint">
            {note ? (
              <span className="font-medium text-danger">{note}</span>
            ) : (
              (blocked ??
              (price.isCharged && (
                <>
                  <Bought gems={purse?.bought ?? 0} />
                  {price.steps
                    .map(({ name, count, gems }) => `${name}${count > 1 ? ` ×${count}` : ''} ${gems}`)
                    .join(' · ')}
                </>
              )))
            )}
          </p>
          {isShort && (
            <ShortRun recipe={id} entry={entry} config={config} balance={purse.balance} setField={setField} />
          )}
        </div>
      }
    />
  );
}

function takesByDefault(entries: readonly CatalogEntry[], architecture: string, kind: MentionKind): boolean {
  const entry = entries.find(({ id }) => id === architecture);
  return entry !== undefined && takesMentions(entry, kind, modelOf(entry, {}));
}
