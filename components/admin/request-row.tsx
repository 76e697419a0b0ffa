'use client';

import { Emblem } from '#components/architectures/emblem';
import { StatusChip } from '#components/ui/badge';
import { Button } from '#components/ui/button';
import { CopyButton } from '#components/ui/copy-button';
import { GemAmount } from '#components/ui/gem-amount';
import { Moment } from '#components/ui/moment';
import { Progress } from '#components/ui/progress';
import { TextLink } from '#components/ui/text-link';
import { beginning } from '#lib/beginning';
import type { AdminRequestWire } from '#lib/contract/admin-schemas';
import { isLive } from '#lib/status';

export function RequestRow({ request, onStop }: { request: AdminRequestWire; onStop?: () => void }) {
  const live = isLive(request.status);
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 border-t py-4 md:grid-cols-[auto_minmax(0,1fr)_auto]">
      {request.preview_url ? (
        // oxlint-disable-next-line nextjs/no-img-element -- previews already have the size of a tile
        <img src={request.preview_url} alt="" loading="lazy" className="size-14 rounded-md bg-sunk object-cover" />
      ) : (
        <Emblem id={request.architecture} className="m-3 size-8" />
      )}
      <div className="grid grid-cols-1 content-start gap-1">
        <p dir="auto" className="line-clamp-2">
          {request.prompt || <span className="text-faint">No prompt</span>}
        </p>
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-faint">
          <TextLink
            href={`/admin/accounts/${request.account.id}`}
            className="min-w-0 wrap-anywhere text-soft decoration-1"
          >
            {request.account.email}
          </TextLink>
          <span>
            {request.architecture} · {request.model_id} on {request.engine}
          </span>
          <GemAmount gems={request.gems} />
          {request.attempt > 1 && <span>attempt {request.attempt}</span>}
          <span>
            {request.finished_at ? 'ended' : request.started_at ? 'started' : 'queued'}{' '}
            <Moment at={request.finished_at ?? request.started_at ?? request.created_at} />
          </span>
        </p>
        {(request.error || request.failure_cause) && <Failure request={request} />}
        {request.status === 'in_progress' && (
          <Progress label="Progress" className="max-w-72" value={request.progress ?? undefined} />
        )}
      </div>
      <div className="col-start-2 flex flex-wrap items-center gap-2 md:col-start-3 md:justify-end md:self-start">
        <StatusChip status={request.status} />
        <CopyButton text={request.request_id} label="Id" of={beginning(request.prompt, 40)} />
        {live && onStop && (
          <Button size="sm" aria-haspopup="dialog" onClick={onStop}>
            Cancel<span className="sr-only"> {beginning(request.prompt, 40)}</span>
          </Button>
        )}
      </div>
    </li>
  );
}

function Failure({ request: { error, failure_cause } }: { request: AdminRequestWire }) {
  return (
    <div className="grid grid-cols-1 gap-1 text-sm">
      {error && <p className="text-danger">{error}</p>}
      {failure_cause && failure_cause !== error && (
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be focusable
          tabIndex={0}
          aria-label="Cause"
          className="max-h-40 overflow-auto rounded-md bg-sunk px-3 py-2 font-mono text-xs whitespace-pre-wrap text-soft"
        >
          {failure_cause}
        </pre>
      )}
    </div>
  );
}
