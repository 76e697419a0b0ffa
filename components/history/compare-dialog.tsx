'use client';

import '#components/ui/style-nonce';
import { Dialog } from 'radix-ui';
import { useQueries } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { Emblem } from '#components/architectures/emblem';
import { AudioPlayer } from '#components/generations/audio-player';
import { useZoom, type ZoomState } from '#components/history/use-zoom';
import { ZoomButtons, ZoomStage } from '#components/history/zoom-stage';
import { IconButton } from '#components/ui/icon-button';
import { Skeleton } from '#components/ui/skeleton';
import { requestQuery } from '#lib/client/queries';
import type { RequestDetailWire } from '#lib/contract/schemas';

/** Two results side by side. Zooming one zooms the other; below stands what differs between their settings. */
export function CompareDialog({ ids, onClose }: { ids: readonly [string, string]; onClose: () => void }) {
  const zoom = useZoom();
  const [left, right] = useQueries({ queries: ids.map(id => requestQuery(id)) });
  const sides = [left, right];
  const arePictures = sides.every(side => side?.data?.type === 'image');
  return (
    <Dialog.Root open onOpenChange={open => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          className="animate-fade-in fixed inset-0 z-40 flex flex-col bg-sunk outline-none"
        >
          <header className="flex items-center gap-4 border-b bg-raised px-5 py-2">
            <Dialog.Title className="font-title text-title">Compare</Dialog.Title>
            {arePictures && <ZoomButtons zoom={zoom} className="ml-auto border-0" />}
            <Dialog.Close asChild>
              <IconButton
                label="Close"
                className={arePictures ? '-mr-2' : '-mr-2 ml-auto'}
                icon={<X className="size-5" aria-hidden />}
              />
            </Dialog.Close>
          </header>
          <div className="grid min-h-0 grow gap-px bg-line max-md:grid-rows-2 md:grid-cols-2">
            {sides.map((side, index) => (
              <div key={ids[index]} className="relative min-h-0 bg-sunk">
                {side?.data ? (
                  <Side request={side.data} zoom={zoom} />
                ) : side?.error ? (
                  <p className="p-6 text-sm text-danger">{side.error.message}</p>
                ) : (
                  <Skeleton className="absolute inset-8" />
                )}
              </div>
            ))}
          </div>
          {left?.data && right?.data && <Differences left={left.data} right={right.data} />}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Side({ request, zoom }: { request: RequestDetailWire; zoom: ZoomState }) {
  const { result, prompt, architecture } = request;
  if (!result) return <p className="p-6 text-sm text-soft">There is no result.</p>;
  if (result.type === 'image') {
    const { url, preview_url, width, height } = result;
    return (
      <ZoomStage
        src={url}
        preview={preview_url}
        alt={prompt}
        width={width}
        height={height}
        zoom={zoom}
        onGone={() => {}}
        className="absolute inset-0"
      />
    );
  }
  if (result.type === 'audio') {
    return (
      <div className="absolute inset-0 grid content-center justify-items-center gap-6 p-6">
        <Emblem id={architecture} className="size-20" />
        <AudioPlayer
          url={result.url}
          seconds={result.duration ?? 0}
          id={architecture}
          className="w-full max-w-lg bg-raised"
        />
      </div>
    );
  }
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- what is generated has no captions
    <video
      src={result.url}
      poster={result.preview_url}
      aria-label={prompt}
      controls
      loop
      playsInline
      preload="metadata"
      className="absolute inset-0 size-full object-contain"
    />
  );
}

/** Settings that are not the same on both sides. */
function Differences({ left, right }: { left: RequestDetailWire; right: RequestDetailWire }) {
  const one = told(left);
  const other = told(right);
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(name => one[name] !== other[name]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
    <section tabIndex={0} aria-label="What differs" className="max-h-[30dvh] overflow-y-auto border-t bg-raised">
      {names.length === 0 ? (
        <p className="p-5 text-sm text-soft">All settings are the same.</p>
      ) : (
        <table className="w-full table-fixed text-sm">
          <caption className="sr-only">What differs</caption>
          <tbody>
            {names.map(name => (
              <tr key={name} className="border-b last:border-0">
                <Value text={one[name]} />
                <th scope="row" className="w-28 px-2 py-2 text-center align-top text-xs font-normal text-faint">
                  {name.replaceAll('_', ' ')}
                </th>
                <Value text={other[name]} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const Value = ({ text = '–' }: { text?: string | undefined }) => (
  <td className="figures px-5 py-2 align-top break-words">{text}</td>
);

function told({ architecture, prompt, config, result, billing }: RequestDetailWire): Record<string, string> {
  const facts = { prompt, architecture, ...config, seed: result?.seed, gems: billing.gems_charged };
  const shown = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return Object.fromEntries(
    shown.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
  );
}
