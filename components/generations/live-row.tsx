import { Emblem } from '#components/architectures/emblem';
import { CancelButton } from '#components/generations/cancel-button';
import { LiveLine } from '#components/generations/live-line';
import { labelOf } from '#components/generations/name-of';
import type { RequestWire } from '#lib/contract/schemas';

/** A live request in the list of `LiveRing`. */
export function LiveRow({ request }: { request: RequestWire }) {
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 rounded-md p-2">
      <Emblem id={request.architecture} className="size-9" />
      <div className="grid min-w-0 gap-1.5">
        <p dir="auto" className="truncate text-sm">
          {labelOf(request)}
        </p>
        <LiveLine request={request} />
        <CancelButton request={request} className="-ml-3 justify-self-start" />
      </div>
    </li>
  );
}
