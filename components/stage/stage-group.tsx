'use client';

import { memo, type CSSProperties } from 'react';
import { asLabel, nameOf } from '#components/generations/name-of';
import { boundShape, shapeOf } from '#components/generations/shape-of';
import { isOver } from '#components/generations/words';
import { blockOf } from '#components/stage/block-of';
import { GroupWords } from '#components/stage/group-words';
import { SubmissionTile } from '#components/stage/submission-tile';
import { Tile } from '#components/stage/tile';
import type { Group, Place } from '#components/stage/to-groups';
import { cn } from '#components/ui/cn';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestWire } from '#lib/contract/schemas';

interface Props {
  group: Group;
  entries: readonly CatalogEntry[];
  /** Whether it is among the first groups in view. */
  isFirst: boolean;
}

/** One press of Create: its results in their places, and what was requested. */
export const StageGroup = memo(function StageGroup({ group: { places }, entries, isFirst }: Props) {
  const refused = places.flatMap(({ request, submission }) => (!request && submission?.refusal ? submission : []));
  const isRefused = refused.length === places.length;
  // if everything was refused, no room for an image is needed, and each reason is shown once
  const reasons = isRefused ? [...Map.groupBy(refused, ({ refusal }) => refusal?.message).values()] : [];
  const isNote = isRefused || places.every(({ request }) => request && isOverWith(request, places.length));
  const shape = isNote ? NOTE : shapeOfPlace(places[0]!);
  const isSound = shape === null;
  const block = isRefused ? { columns: 1, shape: NOTE / reasons.length } : blockOf(shape ?? SOUND, places.length);
  const sizes = sizesOf(block);
  const title = titleOf(places[0]!);
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- not a group of form fields
      role="group"
      aria-label={asLabel(title)}
      className={cn('stage-group', (isSound || isNote) && 'stage-sound', isNote && 'stage-note')}
      style={
        {
          '--shape': block.shape,
          '--columns': block.columns,
          ...(isRefused && { '--notes': reasons.length }),
        } as CSSProperties
      }
    >
      <div className="stage-block rounded-md">
        {isRefused
          ? reasons.map(all => <SubmissionTile key={all[0]!.key} submission={all[0]!} refused={all} />)
          : places.map(({ key, request, submission }) =>
              request ? (
                <Tile
                  key={key}
                  request={request}
                  entries={entries}
                  sizes={sizes}
                  isFirst={isFirst}
                  isAlone={places.length === 1}
                />
              ) : (
                submission && <SubmissionTile key={key} submission={submission} />
              ),
            )}
      </div>
      <GroupWords places={places} title={title} entries={entries} />
    </div>
  );
}, isSame);

/** Every poll of live requests creates new lists; only groups with changes are rendered again. */
function isSame(before: Props, now: Props): boolean {
  const { places } = before.group;
  return (
    before.entries === now.entries &&
    places.length === now.group.places.length &&
    places.every(({ request, submission }, index) => {
      const other = now.group.places[index];
      return request === other?.request && submission === other?.submission;
    })
  );
}

/** Aspect ratio of the place of audio, which has none of its own. */
const SOUND = 3;
/** Aspect ratio of a message in place of a result, whose text and buttons then fit on a phone. */
const NOTE = 2;

/** Whether a request has nothing to show. The message of a failure fits in its place only if that is the only one. */
const isOverWith = ({ status, result }: RequestWire, count: number): boolean =>
  status === 'failed' ? count === 1 : status === 'cancelled' || (!!result && isOver(result.expires_at));

const titleOf = ({ request, submission }: Place): string =>
  request ? nameOf(request) : String(submission?.body.prompt ?? '');

const shapeOfPlace = ({ request, submission }: Place): number | null =>
  request ? shapeOf(request) : submission?.aspect ? boundShape(submission.aspect) : null;

/** Returns the image `sizes` of each place, matching the CSS of `stage-block`. */
function sizesOf({ shape, columns }: { shape: number; columns: number }): string {
  const wide = `min(100vw - 27rem, ${shape.toFixed(3)} * (100vh - 6rem))`;
  return `(width >= 64rem) calc(${wide} / ${columns}), calc(100vw / ${columns})`;
}
