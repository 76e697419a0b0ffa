'use client';

import { useEffect, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { BrowserNotices } from '#components/notices/browser-notices';
import { Badge } from '#components/ui/badge';
import { EmptyState } from '#components/ui/empty-state';
import { Moment } from '#components/ui/moment';
import { besidePage, InPlace } from '#components/ui/on-demand';
import { Panel } from '#components/ui/panel';
import { Loading, QueryView } from '#components/ui/query-view';
import { TextLink } from '#components/ui/text-link';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import { studioApi } from '#lib/client/studio-api';
import { noticesQuery } from '#lib/client/account-queries';
import type { NoticesWire } from '#lib/contract/notice-schemas';

const NoticeSettings = besidePage(async () => (await import('#components/notices/notice-settings')).NoticeSettings);

type Notice = NoticesWire['data'][number];

const DOORS: Record<Notice['kind'], string> = {
  'balance.low': 'Gems',
  'media.expiring': 'History',
  'webhook.failing': 'Its deliveries',
};

/** The Notices tab: past notices, and the settings for new ones. */
export function NoticesPage() {
  const query = useQuery(noticesQuery);
  const isNew = useNewOnes(query.data?.data);
  const kept = useKeptFocus();
  return (
    <QueryView query={query}>
      {notices => (
        <InPlace fallback={<Loading />}>
          <div className="grid grid-cols-1 gap-12">
            {notices.data.length > 0 ? (
              <ul aria-label="Notices" className="grid">
                {notices.data.map(notice => (
                  <Row key={notice.id} notice={notice} isNew={isNew(notice)} />
                ))}
              </ul>
            ) : (
              <EmptyState title="No notices">
                You see it here when gems run low, results are about to expire or a webhook does not answer.
              </EmptyState>
            )}
            <BrowserNotices />
            <Panel title="What to tell you">
              {/* remounted when changed elsewhere, because saving old settings would undo that change */}
              <div {...kept}>
                <NoticeSettings key={JSON.stringify(notices.settings)} notices={notices} />
              </div>
            </Panel>
          </div>
        </InPlace>
      )}
    </QueryView>
  );
}

/** Returns whether a notice is new. Notices are marked as seen when shown, but stay new until the visit ends. */
function useNewOnes(notices: readonly Notice[] = []): (notice: Notice) => boolean {
  const queries = useQueryClient();
  const [looked, setLooked] = useState<readonly string[]>([]);
  const unseen = notices.flatMap(({ id, seen }) => (seen ? [] : [id])).join();
  const newest = notices[0]?.id;
  useEffect(() => {
    if (!unseen || !newest) return;
    studioApi.seeNotices({ body: { newest } }).then(
      () => {
        setLooked(earlier => [...earlier, ...unseen.split(',')]);
        return queries.invalidateQueries(noticesQuery);
      },
      () => {
        // the notices are then new on the next visit, too
      },
    );
  }, [unseen, newest, queries]);
  return ({ id, seen }) => !seen || looked.includes(id);
}

function Row({ notice, isNew }: { notice: Notice; isNew: boolean }) {
  const { kind, title, text, href, created_at } = notice;
  return (
    <li className="grid gap-1.5 border-t py-5">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="font-medium">{title}</span>
        {isNew && <Badge tone="live">New</Badge>}
        <Moment at={created_at} className="ml-auto text-xs text-faint" />
      </p>
      <p className="max-w-prose text-sm break-words text-soft">{text}</p>
      <p className="text-sm">
        <TextLink href={href}>{DOORS[kind]}</TextLink>
      </p>
    </li>
  );
}
