'use client';

import { useCallback, useMemo } from 'react';
import { useRouter } from 'next/navigation';
import { ask } from '#components/library/ask';
import { affordable } from '#components/studio/affordable';
import { baseConfig, modelOf } from '#components/studio/config';
import type { DraftHistory } from '#components/studio/draft-history';
import { changeDraft, redoDraft, undoDraft } from '#components/studio/drafts';
import { fitModel } from '#components/studio/fit-model';
import type { FormContext } from '#components/studio/form-context';
import { FormTools } from '#components/studio/form-tools';
import { ownImages } from '#components/studio/media-use';
import { useMentionables } from '#components/studio/mentionables';
import { SchemaForm } from '#components/studio/schema-form';
import { ShortOfGems } from '#components/studio/short-of-gems';
import { putAll } from '#components/studio/slots';
import type { Purse } from '#components/studio/purse';
import { SubmitBar } from '#components/studio/submit-bar';
import type { Price } from '#components/studio/use-estimate';
import type { MediaUploads } from '#components/studio/use-media-uploads';
import { takesAnyMention, takesMentions } from '#lib/catalog/architecture';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { Issue } from '#lib/errors';

/** The full composer: the fields of a model, the actions on the draft, and the submit bar. */
export function ComposerForm({
  entry,
  entries,
  revision,
  draft: { now: config, past, future },
  price,
  issues,
  uploads,
  purse,
  count,
  blocked,
  isBusy,
  onCount,
  onMentioning,
  onCode,
  onSubmit,
}: {
  entry: CatalogEntry;
  entries: readonly CatalogEntry[];
  /** Revision of the catalog. */
  revision: string;
  draft: DraftHistory;
  price: Price;
  /** Issues that the server reported, by JSON pointer. */
  issues: readonly Issue[];
  uploads: MediaUploads;
  purse: Purse | undefined;
  /** Number of requests that the button submits. */
  count: number;
  /** Why nothing can be created now, or null. */
  blocked: string | null;
  isBusy: boolean;
  onCount: (count: number) => void;
  onMentioning: (is: boolean) => void;
  onCode: () => void;
  onSubmit: () => void;
}) {
  const router = useRouter();
  const setField = useCallback(
    (name: string, value: unknown) => changeDraft(entry, now => fitModel(entry, now, { ...now, [name]: value })),
    [entry],
  );
  const addMedia = useCallback(
    (field: string, urls: readonly string[]) => changeDraft(entry, now => putAll(entry, now, field, urls).config),
    [entry],
  );
  const images = useMemo(() => ownImages(entry, config), [entry, config]);
  const modelId = modelOf(entry, config);
  const mentionables = useMentionables(kind => takesMentions(entry, kind, modelId), images);
  const canMention = takesAnyMention(entry, modelId);
  const foreign = useMemo(() => new Set(price.mentions.map(({ handle }) => handle)), [price.mentions]);
  const context: FormContext = {
    entry,
    config,
    setField,
    addMedia,
    uploads,
    mentionables,
    canMention,
    foreign,
    onMentioning,
  };
  return (
    <SchemaForm
      context={context}
      revision={revision}
      issues={issues}
      onSubmit={onSubmit}
      foot={
        <SubmitBar
          gems={price.gems}
          count={count}
          onCount={onCount}
          purse={purse}
          blocked={blocked}
          message={issues.find(({ path }) => path === '')?.message}
          isBusy={isBusy}
          short={
            purse &&
            purse.balance < price.gems * count && (
              <ShortOfGems
                affordable={affordable({
                  entries,
                  entry,
                  config,
                  price: price.gems,
                  balance: purse.balance,
                  onCount,
                  setField,
                })}
              />
            )
          }
        />
      }
    >
      <FormTools
        onUndo={past.length > 0 && (() => undoDraft(entry))}
        onRedo={future.length > 0 && (() => redoDraft(entry))}
        onReset={() => changeDraft(entry, () => baseConfig(entry))}
        onPresets={() => ask({ kind: 'saved', part: 'presets', entry })}
        onMatrix={() => router.push(`/matrix?model=${entry.id}`)}
        onRecipes={() => router.push('/recipes')}
        onCode={onCode}
      />
    </SchemaForm>
  );
}
