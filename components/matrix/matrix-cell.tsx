'use client';

import { usePress } from '#components/generations/use-press';
import { SelectCircle } from '#components/media/select-circle';
import type { MatrixPlace } from '#components/matrix/use-matrix-requests';
import { SubmissionTile } from '#components/stage/submission-tile';
import { Tile } from '#components/stage/tile';
import { Button } from '#components/ui/button';
import { GemAmount } from '#components/ui/gem-amount';
import { Skeleton } from '#components/ui/skeleton';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** A place of a matrix: its result, which can be selected, or a placeholder until there is one. */
export function MatrixCell({
  place: { request, submission, left, isDearer, isGone, reading },
  name,
  entries,
  columns,
  isChosen,
  onChoose,
}: {
  place: MatrixPlace;
  /** Name of the place, made of its labels. */
  name: string;
  entries: readonly CatalogEntry[];
  columns: number;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const press = usePress();
  if (submission)
    return (
      <div className="matrix-place">
        <SubmissionTile submission={submission} isKept />
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
      <div className="matrix-place content-center-safe justify-items-center gap-2 overflow-hidden p-1 text-center text-xs text-faint">
        {/* a flat place has room only for the button */}
        <p className="[@container(height<6rem)]:not-last:sr-only">
          {isGone ? 'Deleted' : reading ? 'Did not load' : isDearer ? 'Costs more now' : 'Not sent'}
        </p>
        {left && (
          <Button size="sm" onClick={() => void press([left])}>
            Create <GemAmount gems={left.gems} />
          </Button>
        )}
        {reading && !isGone && (
          <Button size="sm" busy={reading.isFetching} onClick={() => void reading.refetch()}>
            Try again
          </Button>
        )}
      </div>
    );
  }
  return (
    <div className="matrix-place">
      <Tile
        request={request}
        entries={entries}
        sizes={`(width >= 64rem) calc((100vw - 16rem) / ${columns}), 40vw`}
        isFirst={false}
      />
      {/* without a result, progress or a failure is shown there, and there is nothing to compare */}
      {request.result && (
        <SelectCircle label={`Select: ${name}`} checked={isChosen} onChange={onChoose} className="top-2 left-2 z-20" />
      )}
    </div>
  );
}
