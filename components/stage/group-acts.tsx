'use client';

import { use } from 'react';
import { CircleStop, Columns2, Download, Trash2 } from 'lucide-react';
import { useActs, type Act } from '#components/generations/use-acts';
import { useRequestActs } from '#components/generations/use-request-acts';
import { zipHref } from '#components/generations/zip-href';
import { isOver } from '#components/generations/words';
import { ActButton } from '#components/generations/act-button';
import { Phone } from '#components/layout/phone';
import { ask } from '#components/library/ask';
import { openCompared } from '#components/viewer/use-view-address';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestWire } from '#lib/contract/schemas';
import { isLive } from '#lib/status';

/** Acts on all results of a press. */
export function GroupActs({
  requests,
  entries,
}: {
  requests: readonly RequestWire[];
  entries: readonly CatalogEntry[];
}) {
  const isPhone = use(Phone);
  const { remove } = useRequestActs();
  const own = useActs(requests[0]!, entries);
  const settings = own.find(({ id }) => id === 'settings');
  const live = requests.filter(({ status }) => isLive(status));
  const kept = requests.filter(({ result }) => result && !isOver(result.expires_at));
  const acts: (Act | false | undefined)[] = [
    settings,
    kept.length > 1 && {
      id: 'compare',
      name: `Compare ${kept.length}`,
      icon: Columns2,
      onPress: () => openCompared(kept.map(({ request_id }) => request_id)),
    },
    kept.length > 1 && {
      id: 'download',
      name: `Download ${kept.length}`,
      icon: Download,
      href: zipHref(kept),
      file: '',
    },
    live.length > 1 && {
      id: 'cancel',
      name: `Cancel ${live.length}`,
      icon: CircleStop,
      onPress: () => ask({ kind: 'cancel', requests: live }),
    },
    requests.length > 1 &&
      live.length === 0 && {
        id: 'delete',
        name: `Delete ${requests.length}`,
        icon: Trash2,
        isDanger: true,
        onPress: () => remove(requests),
      },
  ];
  // on a phone, the acts that results bring need a second row: reserved, so that the groups below stay in place
  const rows = requests.length > 1 && live.length > 0 ? 'pointer-coarse:@max-[30rem]:min-h-23' : '';
  const all = (
    <div className={`-ml-2 flex flex-wrap content-start gap-1 ${rows}`}>
      {acts.map(act => act && <ActButton key={act.id} act={act} />)}
    </div>
  );
  if (requests.length > 1 || isPhone) return all;
  return (
    <>
      {/* beside a single result there is room for all acts with their names */}
      <ul className="-ml-2 grid max-w-md grid-cols-[repeat(auto-fill,minmax(min(11rem,100%),1fr))] max-lg:hidden @min-[44rem]:hidden">
        {own.map(act => (
          <li key={act.id}>
            <ActButton act={act} className="w-full justify-start" />
          </li>
        ))}
      </ul>
      <div className="lg:@max-[44rem]:hidden">{all}</div>
    </>
  );
}
