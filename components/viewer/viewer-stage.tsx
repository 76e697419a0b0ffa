'use client';

import { memo, useState, type ReactNode } from 'react';
import { Hourglass } from 'lucide-react';
import { Emblem } from '#components/architectures/emblem';
import { FailureNote } from '#components/generations/failure-note';
import { CancelButton } from '#components/generations/cancel-button';
import { LiveLine } from '#components/generations/live-line';
import { labelOf } from '#components/generations/name-of';
import { settingsHref } from '#components/generations/reuse';
import { Seedling } from '#components/generations/seedling';
import { baseName } from '#components/generations/file-name';
import { useZoom } from '#components/viewer/use-zoom';
import { isOver } from '#components/generations/words';
import { ZoomButtons, ZoomStage } from '#components/viewer/zoom-stage';
import { Moment } from '#components/ui/moment';
import { InPlace, onDemand } from '#components/ui/on-demand';
import { TextLink } from '#components/ui/text-link';
import type { RequestWire } from '#lib/contract/schemas';
import { isLive } from '#lib/status';

// loaded on demand, because most viewed results have no sound
const AudioPlayer = onDemand(async () => (await import('#components/generations/audio-player')).AudioPlayer);
const AudioTrim = onDemand(async () => (await import('#components/viewer/audio-trim')).AudioTrim);
const VideoPlayer = onDemand(async () => (await import('#components/viewer/video-player')).VideoPlayer);
const LostFile = onDemand(async () => (await import('#components/generations/lost-file')).LostFile);

/** A request in full size, in any state. Memoised so that server-rendered media stay until their code has loaded. */
export const ViewerStage = memo(function ViewerStage({ request }: { request: RequestWire }) {
  const [isLost, setLost] = useState(false);
  const zoom = useZoom();
  const { architecture, status, error, billing, result, removed_at } = request;
  const name = labelOf(request);
  if (isLive(request.status)) return <Growing request={request} />;
  if (status === 'failed' && error) {
    return (
      <Middle>
        <FailureNote
          {...error}
          gemsRefunded={billing.gems_refunded}
          retry={<TextLink href={settingsHref(request)}>Open its settings to try again</TextLink>}
          className="w-full max-w-lg"
        />
      </Middle>
    );
  }
  if (!result) {
    return (
      <Middle>
        <Emblem id={architecture} className="size-16 opacity-50" />
        <p className="max-w-sm text-soft">
          This was cancelled before it was done. A cancelled generation is not refunded.
        </p>
      </Middle>
    );
  }
  const gone = <Gone request={request} />;
  if (removed_at || isOver(result.expires_at)) return gone;
  if (isLost)
    return (
      <InPlace>
        <LostFile url={result.url} gone={gone} onBack={() => setLost(false)} />
      </InPlace>
    );
  if (result.type === 'image') {
    return (
      <>
        <ZoomStage result={result} alt={name} zoom={zoom} onLost={() => setLost(true)} className="size-full" />
        <ZoomButtons zoom={zoom} className="absolute inset-x-3 bottom-3 mx-auto w-fit print:hidden" />
      </>
    );
  }
  if (result.type === 'audio') {
    return (
      <Middle>
        <Emblem id={architecture} className="size-24" />
        <InPlace>
          <AudioPlayer result={result} className="w-full max-w-xl rounded-md bg-raised text-accent-ink" />
          <AudioTrim result={result} name={baseName(name)} />
        </InPlace>
      </Middle>
    );
  }
  return (
    <InPlace fallback={<Still src={result.preview_url} />}>
      <VideoPlayer result={result} title={name} onLost={() => setLost(true)} />
    </InPlace>
  );
});

// oxlint-disable-next-line nextjs/no-img-element -- previews already have the size of a tile
const Still = ({ src }: { src: string | undefined }) => <img src={src} alt="" className="size-full object-contain" />;

const Middle = ({ children }: { children: ReactNode }) => (
  <div className="absolute inset-0 grid content-center justify-items-center gap-6 overflow-y-auto p-6 text-center [&>div]:text-left">
    {children}
  </div>
);

function Growing({ request }: { request: RequestWire }) {
  const { architecture, progress, frame_url } = request;
  return (
    <>
      <Seedling id={architecture} progress={progress ?? 0} />
      {frame_url && (
        // oxlint-disable-next-line nextjs/no-img-element -- a frame is replaced within moments
        <img src={frame_url} alt="" className="absolute inset-0 size-full object-contain" />
      )}
      <div className="absolute inset-x-0 bottom-0 mx-auto grid max-w-md gap-2 p-6">
        <LiveLine request={request} className="rounded-md bg-raised/90 p-3" />
        <CancelButton request={request} className="justify-self-center rounded-md bg-raised/90 px-3 py-2" />
      </div>
    </>
  );
}

function Gone({ request }: { request: RequestWire }) {
  const { result, removed_at } = request;
  const end = removed_at ?? (result && isOver(result.expires_at) ? result.expires_at : undefined);
  const what = removed_at ? 'This result was deleted' : 'The file expired';
  return (
    <Middle>
      <Hourglass className="size-10 text-faint" aria-hidden />
      <p className="max-w-sm text-soft">
        {end ? (
          <>
            {what} on <Moment at={end} as="whole" />.
          </>
        ) : (
          'The file is gone.'
        )}{' '}
        The settings are kept{request.run ? '.' : ': with the same seed you can make it again.'}
      </p>
      <TextLink href={settingsHref(request, true)}>Open its settings</TextLink>
    </Middle>
  );
}
