'use client';

import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useHistory, type FirstPage } from '#components/generations/use-history';
import { useVisit } from '#components/generations/visit';
import { EmptyStage } from '#components/stage/empty-stage';
import { StageGroup } from '#components/stage/stage-group';
import { toGroups, type Group } from '#components/stage/to-groups';
import { useIsListening } from '#components/ui/use-is-listening';
import { useViewAddress } from '#components/viewer/use-view-address';
import { Viewing } from '#components/viewer/viewing';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** Groups rendered by the server, which fill a viewport. The rest follow on hydration, before the user scrolls. */
const AT_ONCE = 2;
/** Groups rendered on hydration, and added each time their end comes near. */
const STEP = 6;
const EVERYTHING = {};

/** Everything that the account makes, newest first and as large as the page allows, in progress or finished. */
export function Stage({
  first,
  entry,
  entries,
}: {
  first: FirstPage;
  /** The selected model. */
  entry: CatalogEntry;
  entries: readonly CatalogEntry[];
}) {
  const visit = useVisit();
  const { requests, live, more, again, query } = useHistory(EVERYTHING, first);
  const now = useMemo(() => requests.map(one => live.get(one.request_id) ?? one), [requests, live]);
  const groups = useMemo(() => toGroups(visit, now), [visit, now]);
  const [drawn, setDrawn] = useState(STEP);
  const shown = useDeferredValue(useIsListening() ? drawn : AT_ONCE);
  const { viewed } = useViewAddress();
  const at = viewed
    ? groups.findIndex(({ places }) => places.some(({ request }) => request?.request_id === viewed))
    : -1;
  // closing the viewer focuses the tile of what was viewed last
  if (at >= drawn) setDrawn(at + 1);
  const hasMore = drawn < groups.length || query.hasNextPage;
  const onNearEnd = useCallback(() => {
    setDrawn(count => count + STEP);
    more();
  }, [more]);
  useIntoView(groups);

  if (groups.length === 0) return <EmptyStage entry={entry} />;
  return (
    <section aria-label="Results">
      <div className="@container grid gap-y-10">
        {groups.slice(0, shown).map((group, index) => (
          <StageGroup key={group.key} group={group} entries={entries} isFirst={index < AT_ONCE} />
        ))}
      </div>
      {hasMore && shown === drawn && <NearEnd key={drawn} onSeen={onNearEnd} />}
      <Viewing requests={now} onNearEnd={more} onPastEnd={again} />
    </section>
  );
}

/** Scrolls to a new group, wherever the user had scrolled. */
function useIntoView(groups: readonly Group[]) {
  const newest = groups[0];
  const before = useRef(newest?.key);
  useEffect(() => {
    if (
      newest &&
      newest.key !== before.current &&
      newest.places.some(({ request, submission }) => submission && !request)
    )
      scrollTo({ top: 0 });
    before.current = newest?.key;
  }, [newest]);
}

/** End of the rendered groups: once it is near the viewport, more are added before the user gets there. */
function NearEnd({ onSeen }: { onSeen: () => void }) {
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onSeen(), {
      rootMargin: '1500px 0px',
    });
    if (mark.current) observer.observe(mark.current);
    return () => observer.disconnect();
  }, [onSeen]);
  return <div ref={mark} aria-hidden className="h-px" />;
}
