'use client';

import { carriedOf } from '#components/carry/carried-of';
import { dragSource } from '#components/carry/drag';
import { RequestMedia } from '#components/generations/request-media';
import { useHistory, type FirstPage } from '#components/generations/use-history';
import { TextLink } from '#components/ui/text-link';
import { OpenLink } from '#components/viewer/open-link';
import { Viewing } from '#components/viewer/viewing';

/** Maximum number of results shown. */
const SHOWN = 12;

/** The newest results whose prompts mention a handle, kept up to date. */
export function MadeWith({ handle, first }: { handle: string; first: FirstPage }) {
  const { requests, live, more, again } = useHistory(first.filter, first);
  return (
    <section aria-labelledby="made-with" className="grid gap-5 border-t pt-6">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="made-with" className="font-title text-title">
          Made with @{handle}
        </h2>
        {requests.length > 0 && <TextLink href={`/history?mention=${handle}`}>Everything</TextLink>}
      </div>
      {requests.length === 0 ? (
        <p className="text-soft">
          Nothing yet. Write <span className="text-accent-ink">@{handle}</span> in a prompt, and the result appears
          here.
        </p>
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(11rem,44%),1fr))] gap-3">
          {requests.slice(0, SHOWN).map(request => (
            <li
              key={request.request_id}
              data-media
              {...dragSource(carriedOf(request))}
              className="relative aspect-square overflow-hidden rounded-md bg-sunk"
            >
              <RequestMedia request={live.get(request.request_id) ?? request} sizes="(min-width: 768px) 240px, 45vw" />
              <OpenLink request={request} />
            </li>
          ))}
        </ul>
      )}
      <Viewing requests={requests} onNearEnd={more} onPastEnd={again} />
    </section>
  );
}
