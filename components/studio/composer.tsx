'use client';

import { use, useCallback, useState } from 'react';
import { useRouter } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { offerCarried } from '#components/carry/carried';
import { useLiveCount } from '#components/generations/use-live';
import { showOverlay, useOverlay } from '#components/layout/overlays';
import { Phone } from '#components/layout/phone';
import { blockedBy } from '#components/studio/blocked-by';
import { purseFor } from '#components/studio/purse';
import { ComposerBar } from '#components/studio/composer-bar';
import { changeDraft, draftOf, useDraft } from '#components/studio/drafts';
import { FileDrop } from '#components/studio/file-drop';
import { COMPOSER_STANDS } from '#components/studio/show-composer';
import { freeSlot, putAll } from '#components/studio/slots';
import { useComposerKeys } from '#components/studio/use-composer-keys';
import { useCount } from '#components/studio/use-count';
import { useEstimate } from '#components/studio/use-estimate';
import { awaitedFields, useMediaUploads } from '#components/studio/use-media-uploads';
import { useReuse } from '#components/studio/use-reuse';
import { useSubmit } from '#components/studio/use-submit';
import { InPlace, onDemand, Opening, REASON, withReason } from '#components/ui/on-demand';
import { Spinner } from '#components/ui/spinner';
import { toast } from '#components/ui/toast';
import { useMatches } from '#components/ui/use-matches';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { gemsQuery } from '#lib/client/account-queries';
import { mediaKindOf } from '#lib/media-kind';

const ComposerForm = onDemand(async () => (await import('#components/studio/composer-form')).ComposerForm);
const Sheet = onDemand(async () => (await import('#components/ui/sheet')).Sheet);
const CodePanel = onDemand(async () => (await import('#components/studio/code-panel')).CodePanel);

const notTaken = (description: string) => void toast({ title: 'This file was not used.', description });

/** The composer of one model: a column beside the stage, or on narrow screens a bar that opens as a sheet. */
export function Composer({
  entry,
  entries,
  revision,
}: {
  entry: CatalogEntry;
  entries: readonly CatalogEntry[];
  revision: string;
}) {
  const { data: gems } = useQuery(gemsQuery);
  const live = useLiveCount();
  const isWide = useMatches(COMPOSER_STANDS, !use(Phone));
  const isOpen = useOverlay() === 'composer';
  const draft = useDraft(entry);
  const { now: config } = draft;
  const prompt = String(config.prompt ?? '');
  const [count, setCount] = useCount();
  const [isCodeOpen, setCodeOpen] = useState(false);
  const price = useEstimate(entry, config);
  const { send, issues, isSending } = useSubmit(entry, config, price.gems, count);
  const forms = { entry, entries, router: useRouter() };
  useReuse(entry);
  useComposerKeys(entry, isWide ? undefined : createFolded);

  const onUploaded = useCallback(
    (field: string, url: string) => changeDraft(entry, now => putAll(entry, now, field, [url]).config),
    [entry],
  );
  const uploads = useMediaUploads(onUploaded, entry.id);
  const [isMentioning, onMentioning] = useState(false);
  const asked = isMentioning ? price.issues.filter(({ path }) => path !== '/prompt') : price.issues;
  const known = issues.length ? issues : asked;
  const purse = purseFor(gems, Array<number>(count).fill(price.gems));
  const blocked = blockedBy({
    total: price.gems * count,
    balance: purse?.balance,
    count,
    live,
    mostLive: gems?.in_flight_limit,
    // issues of a refused submit do not block: their cause may have passed, so the user may retry
    hasFaults: asked.some(({ path }) => path !== ''),
    pending: uploads.pending,
  });

  async function create() {
    // keyboard shortcuts bypass the disabled button
    if (blocked !== null || isSending) return;
    showOverlay(null);
    const isTaken = await send();
    // the open composer shows the issues where they can be corrected
    if (!isTaken && !isWide) showOverlay('composer');
  }

  function createFolded() {
    if (prompt.trim() && blocked === null) void create();
    else showOverlay('composer');
  }

  /** Handles files one by one: each takes the next free slot, however long the previous file takes to read. */
  async function onFiles(files: readonly File[]) {
    for (const file of files) await onFile(file);
  }

  async function onFile(file: File) {
    const code = await import('#components/studio/take-settings').catch(() => null);
    // without this code it is unknown whether the file carries settings or belongs in a slot
    if (!code) return notTaken(REASON);
    // an unreadable item, such as a folder, must not keep the files after it from their slots
    if (await code.takeFile(file, forms).catch(() => false)) return;
    const media = mediaKindOf(file.type);
    const slot = media && freeSlot(entry, draftOf(entry), media, awaitedFields(entry.id));
    if (slot) uploads.start(slot.field, slot.media, file);
    else notTaken('It has no settings of this service, and no field here is free for it.');
  }

  async function onCommand(command: string) {
    try {
      const { takeSnippet } = await import('#components/studio/take-settings').catch(withReason);
      takeSnippet(command, forms);
    } catch (error) {
      toast({ title: 'The command was not read.', description: (error as Error).message, tone: 'bad' });
    }
  }

  const form = (
    // the fallback is tall, so that the sheet opens at its final height
    <InPlace fallback={<Spinner className="flex justify-center pt-16 max-lg:min-h-[80dvh]" />}>
      <ComposerForm
        entry={entry}
        entries={entries}
        revision={revision}
        draft={draft}
        price={price}
        issues={known}
        uploads={uploads}
        purse={purse}
        count={count}
        blocked={blocked}
        isBusy={isSending}
        onCount={setCount}
        onMentioning={onMentioning}
        onCode={() => setCodeOpen(true)}
        onSubmit={() => void create()}
      />
    </InPlace>
  );

  return (
    <>
      {isWide ? (
        <section
          aria-label="Settings"
          className="max-lg:hidden lg:sticky lg:top-(--told) lg:h-[calc(100dvh-var(--told))] lg:scroll-pb-32 lg:overflow-y-auto lg:border-r lg:px-5 lg:pt-5"
        >
          {form}
        </section>
      ) : (
        <>
          <ComposerBar
            entry={entry}
            prompt={prompt}
            gems={price.gems * count}
            count={count}
            blocked={blocked}
            isBusy={isSending}
            onOpen={() => showOverlay('composer')}
            onNear={() => [Sheet, ComposerForm].forEach(part => part.near())}
            onCreate={createFolded}
          />
          {isOpen && (
            <Opening onClose={() => showOverlay(null)}>
              <Sheet open isOfPage from="bottom" title="Compose" onOpenChange={open => !open && showOverlay(null)}>
                {form}
              </Sheet>
            </Opening>
          )}
        </>
      )}
      <FileDrop
        onFiles={files => void onFiles(files)}
        onMedia={([carried, ...more]) => carried && offerCarried({ carried, more, intent: 'use' })}
        onCommand={onCommand}
      />
      {isCodeOpen && (
        <Opening onClose={() => setCodeOpen(false)}>
          <CodePanel entry={entry} entries={entries} config={config} onClose={() => setCodeOpen(false)} />
        </Opening>
      )}
    </>
  );
}
