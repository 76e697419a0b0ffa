'use client';

import { useState, type ReactNode } from 'react';
import { CircleSlash, Hourglass, TriangleAlert } from 'lucide-react';
import { goneOf } from '#components/generations/gone-of';
import { labelOf } from '#components/generations/name-of';
import { Video } from '#components/generations/video';
import { LiveLine } from '#components/generations/live-line';
import { Picture } from '#components/media/picture';
import { Seedling } from '#components/generations/seedling';
import { AudioGround, AudioTile } from '#components/generations/audio-tile';
import { isOver } from '#components/generations/words';
import { cn } from '#components/ui/cn';
import { besidePage, InPlace, onDemand } from '#components/ui/on-demand';
import type { RequestWire } from '#lib/contract/schemas';
import { isLive } from '#lib/status';

const AudioPlayer = onDemand(async () => (await import('#components/generations/audio-player')).AudioPlayer);
// loaded early, because it is needed when the connection is lost
const LostFile = besidePage(async () => (await import('#components/generations/lost-file')).LostFile);

type Shown = Pick<RequestWire, 'architecture' | 'status' | 'prompt' | 'run' | 'result' | 'type' | 'error' | 'billing'> &
  Partial<RequestWire>;

interface Props {
  request: Shown;
  /** Displayed width, as the `sizes` of an image. */
  sizes: string;
  isFirst?: boolean | undefined;
  /** Whether there is room for playback: audio gets a player, a video plays while it is in view. */
  isLarge?: boolean;
  /** `tabIndex` of its controls, for grids in which Tab reaches only one tile. */
  tabIndex?: number;
  /** Shown for a failed request, where there is room for details. */
  failure?: ReactNode;
}

/** Shows a request in any state; fills its container. */
export function RequestMedia(props: Props) {
  const { request, failure } = props;
  const { status, error, result } = request;
  if (status === 'failed')
    return failure ?? <Note icon={<TriangleAlert className="text-danger" />} text={error?.message ?? 'Failed'} />;
  if (status === 'cancelled') return <Note icon={<CircleSlash />} text="Cancelled" />;
  if (!isLive(status) && (!result || isOver(result.expires_at))) return <Gone request={request} />;
  return <Growing {...props} />;
}

function Note({ icon, text }: { icon: ReactNode; text: string }) {
  return (
    <div className="media-note">
      {icon}
      <p className="line-clamp-3 wrap-anywhere">{text}</p>
    </div>
  );
}

const Gone = ({ request }: { request: Shown }) => <Note icon={<Hourglass />} text={goneOf(request)} />;

/** Shows the seedling, then preview frames, then the result. Each stays until the next one is loaded. */
function Growing({ request, sizes, isFirst, isLarge, tabIndex }: Props) {
  const { architecture, progress, result, status, frame_url } = request;
  // a result that exists from the start is shown without a transition
  const [wasLive] = useState(() => isLive(status));
  const [isLoaded, setLoaded] = useState(false);
  const [isLost, setLost] = useState(false);
  const [frame, setFrame] = useState(frame_url);
  if (frame_url && frame_url !== frame) setFrame(frame_url);
  if (isLost && result)
    return (
      <InPlace>
        <LostFile
          url={result.url}
          gone={<Gone request={request} />}
          tabIndex={tabIndex}
          onBack={() => setLost(false)}
        />
      </InPlace>
    );
  const onLost = () => setLost(true);
  return (
    <>
      {wasLive && <Seedling id={architecture} progress={result ? 1 : (progress ?? 0)} />}
      {wasLive && frame && (
        // oxlint-disable-next-line nextjs/no-img-element -- a preview frame is short-lived
        <img src={frame} alt="" draggable={false} className="absolute inset-0 size-full object-cover" />
      )}
      {result?.type === 'image' && (
        <Picture
          file={result}
          alt={labelOf(request)}
          sizes={sizes}
          isFirst={isFirst || wasLive}
          onLoad={() => setLoaded(true)}
          onLost={onLost}
          className={cn('absolute inset-0 size-full', wasLive && (isLoaded ? 'animate-develop' : 'opacity-0'))}
        />
      )}
      {result?.type === 'video' && (
        <Video
          result={result}
          alt={labelOf(request)}
          playsSeen={isLarge}
          isFirst={isFirst || wasLive}
          tabIndex={tabIndex}
          onLost={onLost}
        />
      )}
      {result?.type === 'audio' &&
        (isLarge ? (
          <AudioGround id={architecture}>
            <InPlace>
              <AudioPlayer result={result} className="z-10 px-[6%] pointer-coarse:in-[:has(>.act-bar)]:pr-16" />
            </InPlace>
          </AudioGround>
        ) : (
          <AudioTile id={architecture} result={result} />
        ))}
      {isLive(status) && (
        <div className="absolute inset-x-0 bottom-0 bg-raised/85 px-3 pt-2 pb-1.5">
          <LiveLine request={request} />
        </div>
      )}
    </>
  );
}
