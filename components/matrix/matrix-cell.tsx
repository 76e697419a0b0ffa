'use client';

import { SelectCircle } from '#components/media/select-circle';
import type { MatrixPlace } from '#components/matrix/use-matrix-requests';
import { SubmissionTile } from '#components/stage/submission-tile';
import { Tile } from '#components/stage/tile';
import { Button } from '#components/ui/button';
import { Skeleton } from '#components/ui/skeleton';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { isLive } from '#lib/status';

/** A place of a matrix: its result, which can be chosen, or what stands there until there is one. */
export function MatrixCell({
  place: { request, submission, isGone, reading },
  name,
  entries,
  columns,
  isChosen,
  onChoose,
}: {
  place: MatrixPlace;
  /** By its labels. */
  name: string;
  entries: readonly CatalogEntry[];
  columns: number;
  isChosen: boolean;
  onChoose: () => void;
}) {
  if (submission)
    return (
      <div className="absolute inset-0 grid">
        <SubmissionTile submission={submission} />
      </div>
    );
  if (!request) {
    if (reading && !isGone && !reading.error)
      return (
        <div aria-busy className="absolute inset-0">
          <Skeleton className="size-full" />
        </div>
      );
    return (
      <div className="absolute inset-0 grid content-center justify-items-center gap-2 p-2 text-center text-xs text-faint">
        <p>{isGone ? 'Deleted' : reading ? 'Did not load' : 'Not sent'}</p>
        {reading && !isGone && (
          <Button size="sm" busy={reading.isFetching} onClick={() => void reading.refetch()}>
            Try again
          </Button>
        )}
      </div>
    );
  }
  return (
    <div className="absolute inset-0 grid">
      <Tile
        request={request}
        entries={entries}
        sizes={`(width >= 64rem) calc((100vw - 16rem) / ${columns}), 40vw`}
        isFirst={false}
      />
      {/* what is in the making has its progress there, and nothing to compare */}
      {!isLive(request.status) && (
        <SelectCircle label={`Select: ${name}`} checked={isChosen} onChange={onChoose} className="top-2 left-2 z-20" />
      )}
    </div>
  );
}
