'use client';

import { useState, type ReactNode } from 'react';
import Link from 'next/link';
import { useQueryClient } from '@tanstack/react-query';
import { ArrowDownToLine, CircleStop, RotateCcw, Sprout } from 'lucide-react';
import { Emblem } from '#components/architectures/emblem';
import { FailureNote } from '#components/generations/failure-note';
import { GenerationMedia } from '#components/generations/generation-media';
import { LiveLine } from '#components/generations/live-line';
import { PreviewBadge } from '#components/generations/preview-badge';
import { settingsHref } from '#components/generations/reuse';
import { Button } from '#components/ui/button';
import { cn } from '#components/ui/cn';
import { GemAmount } from '#components/ui/gem-amount';
import { toast } from '#components/ui/toast';
import { downloadAddress } from '#lib/client/download-address';
import { api } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';
import { isLive } from '#lib/status';

export type CardRequest = Omit<RequestWire, 'status_url' | 'cancel_url' | 'updated_at' | 'expected' | 'favourite'>;

/** A generation in whatever state it is: growing, made, failed, cancelled. `actions` stand beside the usual ones. */
export function GenerationCard({
  request,
  aspect = 1,
  actions,
  retry,
  className,
}: {
  request: CardRequest;
  /** Width over height to expect before there is a result. */
  aspect?: number | null;
  actions?: ReactNode;
  /** Offered by a failed one where another try makes sense. */
  retry?: ReactNode;
  className?: string;
}) {
  const { status, error, billing } = request;
  return (
    <article aria-label={request.prompt} className={cn('grid content-start gap-2', className)}>
      {status === 'failed' && error ? (
        <FailureNote {...error} gemsRefunded={billing.gems_refunded} retry={retry} />
      ) : status === 'cancelled' ? (
        <p className="grid min-h-24 place-items-center rounded-md border border-dashed text-sm text-faint">Cancelled</p>
      ) : (
        <GenerationMedia request={request} aspect={aspect} />
      )}
      {isLive(request.status) && <LiveLine request={request} />}
      <CardCaption request={request} />
      <div className="-ml-2 flex flex-wrap items-center">
        {isLive(request.status) ? (
          <CancelButton id={request.request_id} />
        ) : (
          <>
            <CardLink
              href={settingsHref(request)}
              label="Use these settings"
              icon={<RotateCcw className="size-4" aria-hidden />}
            />
            {request.result && (
              <CardLink
                href={settingsHref(request, { seed: true })}
                label="Use the settings with the same seed"
                icon={<Sprout className="size-4" aria-hidden />}
              />
            )}
            {actions}
            {request.result && <DownloadLink result={request.result} name={request.prompt} />}
          </>
        )}
      </div>
    </article>
  );
}

function CardCaption({ request }: { request: CardRequest }) {
  const { prompt, architecture, billing, result, preview } = request;
  return (
    <div className="grid gap-1">
      <p className="line-clamp-2 text-sm leading-5" title={prompt}>
        {prompt}
      </p>
      <p className="figures flex flex-wrap items-center gap-x-3 gap-y-0.5 text-xs text-faint">
        <span className="inline-flex items-center gap-1.5">
          <Emblem id={architecture} className="size-4" />
          {request.model_id || architecture}
        </span>
        {preview && <PreviewBadge />}
        <GemAmount gems={billing.gems_charged} />
        {result && <Expiry at={result.expires_at} />}
      </p>
    </div>
  );
}

const daysUntil = (time: string) => Math.ceil((Date.parse(time) - Date.now()) / 86_400_000);

/** How long the media stay; hydrated later than rendered, so the days may differ by one. */
function Expiry({ at }: { at: string }) {
  const days = daysUntil(at);
  return (
    <time dateTime={at} title={new Date(at).toLocaleString('en')} suppressHydrationWarning>
      {days > 0 ? `kept ${days} ${days === 1 ? 'day' : 'days'}` : 'no longer kept'}
    </time>
  );
}

/** An act on a card that is a link. */
export function CardLink({ href, label, icon }: { href: string; label: string; icon: ReactNode }) {
  return (
    <Button asChild tone="ghost" size="sm" className="size-9 px-0">
      <Link href={href} aria-label={label} title={label} scroll={false}>
        {icon}
      </Link>
    </Button>
  );
}

function DownloadLink({ result, name }: { result: { url: string; content_type: string }; name: string }) {
  const end = { 'image/png': 'png', 'video/mp4': 'mp4', 'audio/mpeg': 'mp3' }[result.content_type] ?? '';
  const file = `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60) || 'pomona'}.${end}`;
  return (
    <Button asChild tone="ghost" size="sm" className="size-9 px-0">
      <a href={downloadAddress(result.url, file)} download={file} aria-label="Download" title="Download">
        <ArrowDownToLine className="size-4" aria-hidden />
      </a>
    </Button>
  );
}

/** Stops a live request. Nothing is refunded, and it says so. */
export function CancelButton({ id, className }: { id: string; className?: string }) {
  const queryClient = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const cancel = async () => {
    setBusy(true);
    try {
      await api.cancelRequest({ params: { request_id: id } });
      await queryClient.invalidateQueries({ queryKey: ['requests'] });
    } catch (error) {
      toast({ title: 'It was not cancelled.', description: error instanceof Error ? error.message : '', tone: 'bad' });
    }
    setBusy(false);
  };
  return (
    <Button
      tone="ghost"
      size="sm"
      busy={isBusy}
      onClick={() => void cancel()}
      title="A cancelled generation is not refunded"
      className={className}
    >
      {!isBusy && <CircleStop className="size-4" aria-hidden />}
      Cancel
      <span className="sr-only">; it is not refunded</span>
    </Button>
  );
}
