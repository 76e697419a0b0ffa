'use client';

import { lazy, Suspense, useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { useRouter } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { offerCarried } from '#components/carry/carried';
import { useLive } from '#components/generations/use-live';
import { ask } from '#components/library/ask';
import { showOverlay, useOverlay } from '#components/layout/overlays';
import { ComposerBar } from '#components/studio/composer-bar';
import { baseConfig, modelOf, type Config } from '#components/studio/config';
import { changeDraft, redoDraft, undoDraft, useDraft } from '#components/studio/drafts';
import { FileDrop } from '#components/studio/file-drop';
import { fitModel } from '#components/studio/fit-model';
import type { FormContext } from '#components/studio/form-context';
import { FormTools } from '#components/studio/form-tools';
import { ownImages } from '#components/studio/mention-meter';
import { useMentionables } from '#components/studio/mentionables';
import { COMPOSER_STANDS } from '#components/studio/show-composer';
import { freeSlot, putMedia } from '#components/studio/slots';
import { ShortOfGems } from '#components/studio/short-of-gems';
import { blockedBy, SubmitBar } from '#components/studio/submit-bar';
import { useComposerKeys } from '#components/studio/use-composer-keys';
import { useEstimate } from '#components/studio/use-estimate';
import { useMediaUploads } from '#components/studio/use-media-uploads';
import { useReuse } from '#components/studio/use-reuse';
import { useSubmit } from '#components/studio/use-submit';
import { useTakeSettings } from '#components/studio/use-take-settings';
import { Spinner } from '#components/ui/spinner';
import { toast } from '#components/ui/toast';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { gemsQuery } from '#lib/client/account-queries';
import { mediaKindOf } from '#lib/media-kind';

const loadForm = () => import('#components/studio/schema-form');
const SchemaForm = lazy(() => loadForm().then(module => ({ default: module.SchemaForm })));
const loadSheet = () => import('#components/ui/sheet');
const Sheet = lazy(() => loadSheet().then(module => ({ default: module.Sheet })));
const CodePanel = lazy(() => import('#components/studio/code-panel').then(module => ({ default: module.CodePanel })));

/** What is asked of one model, and the button that makes it: a column beside the stage, or a bar at the thumb that opens to a sheet. */
export function Composer({
  entry,
  entries,
  revision,
  isPhone,
}: {
  entry: CatalogEntry;
  entries: readonly CatalogEntry[];
  revision: string;
  isPhone: boolean;
}) {
  const router = useRouter();
  const { data: gems } = useQuery(gemsQuery);
  const live = useLive();
  const isWide = useIsWide(!isPhone);
  const isOpen = useOverlay() === 'composer';
  const { now: config, past, future } = useDraft(entry);
  const [count, setCount] = useState(1);
  const [isCodeOpen, setCodeOpen] = useState(false);
  const price = useEstimate(entry, config);
  const update = useCallback((next: (config: Config) => Config) => changeDraft(entry, next), [entry]);
  const { send, issues, isSending } = useSubmit(entry, config, price.gems, count);
  const { take, takeFile } = useTakeSettings(entry, entries);
  useReuse(entry);
  useComposerKeys(entry);

  const setField = useCallback(
    (name: string, value: unknown) => update(now => fitModel(entry, now, { ...now, [name]: value })),
    [entry, update],
  );
  const onUploaded = useCallback(
    (field: string, url: string) => update(now => putMedia(entry, now, field, url)),
    [entry, update],
  );
  const uploads = useMediaUploads(onUploaded);
  const images = useMemo(() => ownImages(entry, config), [entry, config]);
  const mentionables = useMentionables(entry, modelOf(entry, config), images);
  const foreign = useMemo(() => new Set(price.mentions.map(({ handle }) => handle)), [price.mentions]);
  const [isMentioning, onMentioning] = useState(false);
  const context: FormContext = { entry, config, setField, uploads, mentionables, foreign, onMentioning };
  const asked = isMentioning ? price.issues.filter(({ path }) => path !== '/prompt') : price.issues;
  const known = issues.length ? issues : asked;
  const blocked = blockedBy({
    total: price.gems * count,
    balance: gems?.balance,
    count,
    live: live.length,
    hasFaults: known.some(({ path }) => path !== ''),
    isUploading: uploads.pending.some(({ error }) => error === undefined),
  });

  async function create() {
    if (blocked !== null) return;
    showOverlay(null);
    const isTaken = await send();
    // what is wrong is shown where it can be mended
    if (!isTaken && !isWide) showOverlay('composer');
  }

  async function onFile(file: File) {
    if (await takeFile(file)) return;
    const media = mediaKindOf(file.type);
    const slot = media && freeSlot(entry, config, media);
    if (slot) uploads.start(slot.field, slot.media, file);
    else toast({ title: 'Nothing was taken from this file.', description: 'It carries no settings of this service.' });
  }

  async function onCommand(command: string) {
    const { readSnippet } = await import('#components/studio/read-snippet');
    try {
      take(readSnippet(command));
    } catch (error) {
      toast({ title: 'The command was not read.', description: (error as Error).message, tone: 'bad' });
    }
  }

  const form = (
    <Suspense fallback={<Spinner className="m-auto my-16" />}>
      <SchemaForm
        context={context}
        revision={revision}
        issues={known}
        onSubmit={() => void create()}
        foot={
          <SubmitBar
            gems={price.gems}
            count={count}
            onCount={setCount}
            balance={gems?.balance}
            blocked={blocked}
            message={known.find(({ path }) => path === '')?.message}
            isBusy={isSending}
            short={<ShortOfGems entries={entries} entry={entry} balance={gems?.balance} total={price.gems * count} />}
          />
        }
      >
        <FormTools
          onUndo={past.length > 0 && (() => undoDraft(entry))}
          onRedo={future.length > 0 && (() => redoDraft(entry))}
          onReset={() => update(() => baseConfig(entry))}
          onPresets={() => ask({ kind: 'saved', part: 'presets', entry })}
          onMatrix={() => router.push(`/matrix?model=${entry.id}`)}
          onRecipes={() => router.push('/recipes')}
          onCode={() => setCodeOpen(true)}
        />
      </SchemaForm>
    </Suspense>
  );

  return (
    <>
      {isWide ? (
        <section
          aria-label="Settings"
          className="max-lg:hidden lg:sticky lg:top-0 lg:h-dvh lg:overflow-y-auto lg:border-r lg:px-5 lg:pt-5"
        >
          {form}
        </section>
      ) : (
        <>
          <ComposerBar
            entry={entry}
            prompt={String(config.prompt ?? '')}
            gems={price.gems * count}
            blocked={blocked}
            isBusy={isSending}
            onOpen={() => showOverlay('composer')}
            onNear={() => void Promise.all([loadSheet(), loadForm()])}
            onCreate={() => void create()}
          />
          {isOpen && (
            <Suspense>
              <Sheet open from="bottom" title="Compose" onOpenChange={open => !open && showOverlay(null)}>
                {form}
              </Sheet>
            </Suspense>
          )}
        </>
      )}
      <FileDrop
        onFile={file => void onFile(file)}
        onMedia={carried => offerCarried({ carried, intent: 'use' })}
        onCommand={onCommand}
      />
      {isCodeOpen && (
        <Suspense>
          <CodePanel
            entry={entry}
            config={config}
            onTake={settings => {
              take(settings);
              setCodeOpen(false);
            }}
            onClose={() => setCodeOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}

function useIsWide(asServed: boolean): boolean {
  return useSyncExternalStore(
    onChange => {
      const query = matchMedia(COMPOSER_STANDS);
      query.addEventListener('change', onChange);
      return () => query.removeEventListener('change', onChange);
    },
    () => matchMedia(COMPOSER_STANDS).matches,
    () => asServed,
  );
}
