'use client';

import '#components/ui/style-nonce';
import { useState } from 'react';
import { Dialog } from 'radix-ui';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Ellipsis, X } from 'lucide-react';
import { Emblem } from '#components/architectures/emblem';
import { ActButton } from '#components/generations/act-button';
import { ActMenu } from '#components/generations/act-menu';
import { AudioPlayer } from '#components/generations/audio-player';
import { goneOf } from '#components/generations/gone-of';
import { LostFile } from '#components/generations/lost-file';
import { labelOf } from '#components/generations/name-of';
import { useActs, type ActId } from '#components/generations/use-acts';
import { isOver } from '#components/generations/words';
import { Differences } from '#components/viewer/differences';
import { faultOf } from '#components/viewer/fault-of';
import { useZoom, type ZoomState } from '#components/viewer/use-zoom';
import { replaceAddress } from '#components/viewer/use-view-address';
import { ZoomButtons, ZoomStage } from '#components/viewer/zoom-stage';
import { closeStep } from '#components/ui/close-step';
import { cn } from '#components/ui/cn';
import { closeLast, useCloseRequests } from '#components/ui/use-close-requests';
import { useFocusBack } from '#components/ui/use-focus-back';
import { IconButton } from '#components/ui/icon-button';
import { Skeleton } from '#components/ui/skeleton';
import { catalogQuery, requestQuery } from '#lib/client/queries';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestDetailWire, RequestWire } from '#lib/contract/schemas';

/** Grid classes by number of compared results. */
const LAYOUTS: Record<number, string> = {
  2: 'max-md:grid-rows-2 md:grid-cols-2',
  3: 'max-md:grid-rows-3 md:grid-cols-3',
  4: 'grid-cols-2 grid-rows-2',
  5: 'grid-cols-2 grid-rows-3 md:grid-cols-3 md:grid-rows-2',
  6: 'grid-cols-2 grid-rows-3 md:grid-cols-3 md:grid-rows-2',
};

const close = () => closeStep(() => replaceAddress({ compare: null }));

/** Two to six results side by side, with a shared zoom and a table of the settings that differ. */
export function CompareDialog({ ids }: { ids: readonly string[] }) {
  const zoom = useZoom();
  const onCloseAutoFocus = useFocusBack();
  useCloseRequests(close);
  const { data: entries = [] } = useQuery(catalogQuery);
  const sides = useQueries({ queries: ids.map(id => requestQuery(id)) });
  const known = sides.flatMap(({ data }) => data ?? []);
  const arePictures = known.length === ids.length && known.every(({ type }) => type === 'image');
  return (
    <Dialog.Root open onOpenChange={closeLast}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={onCloseAutoFocus}
          className="animate-fade-in fixed inset-0 z-40 flex flex-col bg-sunk outline-none"
        >
          <header className="flex items-center gap-4 border-b bg-raised px-5 py-2 max-md:gap-2">
            <Dialog.Title className="grow font-title text-title">Compare</Dialog.Title>
            {/* touch screens zoom with gestures, and a phone has no room for the buttons */}
            {arePictures && <ZoomButtons zoom={zoom} className="border-0 pointer-coarse:max-md:hidden" />}
            <Dialog.Close asChild>
              <IconButton label="Close" className="-mr-2" icon={<X className="size-5" aria-hidden />} />
            </Dialog.Close>
          </header>
          <div className={cn('grid min-h-0 grow gap-px bg-line', LAYOUTS[ids.length])}>
            {sides.map(({ data, error }, index) => (
              <div key={ids[index]} className="@container relative min-h-0 bg-sunk">
                {data ? (
                  <>
                    <Side request={data} zoom={zoom} />
                    <SideActs request={data} entries={entries} of={`Actions of ${index + 1}`} />
                  </>
                ) : error ? (
                  <p className="p-6 text-sm text-danger">{faultOf(error)}</p>
                ) : (
                  <Skeleton className="absolute inset-8" />
                )}
                {/* the same number heads its column of the table below */}
                <span
                  aria-hidden
                  className="on-picture figures pointer-events-none absolute top-2 left-2 rounded-sm px-2 py-0.5 text-xs"
                >
                  {index + 1}
                </span>
              </div>
            ))}
          </div>
          {known.length === ids.length && <Differences requests={known} entries={entries} />}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Side({ request, zoom }: { request: RequestDetailWire; zoom: ZoomState }) {
  const { result, architecture, removed_at } = request;
  const [isLost, setLost] = useState(false);
  const onLost = () => setLost(true);
  const gone = <p className="p-6 text-sm text-soft">{goneOf(request)}</p>;
  if (!result) return <p className="p-6 text-sm text-soft">There is no result.</p>;
  if (removed_at || isOver(result.expires_at)) return gone;
  if (isLost) return <LostFile url={result.url} gone={gone} onBack={() => setLost(false)} />;
  if (result.type === 'image')
    return (
      <ZoomStage result={result} alt={labelOf(request)} zoom={zoom} onLost={onLost} className="absolute inset-0" />
    );
  if (result.type === 'audio') {
    return (
      <div className="absolute inset-0 grid content-center justify-items-center gap-6 p-6">
        <Emblem id={architecture} className="size-20" />
        <AudioPlayer result={result} className="w-full max-w-lg rounded-md bg-raised text-accent-ink" />
      </div>
    );
  }
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- generated videos have no captions
    <video
      src={result.url}
      poster={result.preview_url}
      aria-label={labelOf(request)}
      controls
      loop
      playsInline
      preload="metadata"
      onError={onLost}
      className="absolute inset-0 size-full object-contain"
    />
  );
}

/** Actions for each compared result: labelled buttons, or a menu where there is no room for labels. */
const FEW: readonly ActId[] = ['settings', 'favourite', 'keep', 'download'];

function SideActs({ request, entries, of }: { request: RequestWire; entries: readonly CatalogEntry[]; of: string }) {
  const acts = useActs(request, entries).filter(({ id }) => FEW.includes(id));
  if (acts.length === 0) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- not a group of form fields
    <div role="group" aria-label={of} className="absolute top-2 right-2 flex rounded-full border bg-raised/92">
      {acts.map(act => (
        <ActButton key={act.id} act={act} className="rounded-full px-3 @max-[32rem]:hidden" />
      ))}
      <ActMenu
        acts={acts}
        trigger={
          <IconButton
            size="sm"
            label={of}
            className="rounded-full @min-[32rem]:hidden"
            icon={<Ellipsis className="size-4" aria-hidden />}
          />
        }
      />
    </div>
  );
}
