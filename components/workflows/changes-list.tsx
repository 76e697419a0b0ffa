'use client';

import { Badge, type BadgeTone } from '#components/ui/badge';
import type { ChangeWire } from '#lib/contract/engine-schemas';

const WORDS: Record<ChangeWire['what'], { tone: BadgeTone; text: string }> = {
  gone: { tone: 'bad', text: 'Gone' },
  moved: { tone: 'warn', text: 'Moved' },
  more: { tone: 'warn', text: 'More places' },
  value: { tone: 'info', text: 'Other value' },
  kept: { tone: 'good', text: 'Kept' },
};
const ORDER = Object.keys(WORDS) as ChangeWire['what'][];

/** Changes of each bound value; those that need attention come first. */
export function ChangesList({ changes }: { changes: readonly ChangeWire[] }) {
  const sorted = changes.toSorted((a, b) => ORDER.indexOf(a.what) - ORDER.indexOf(b.what));
  return (
    <ul className="grid" aria-label="Changes">
      {sorted.map(({ from, what, was, now }, at) => (
        // keyed by index, because a value may be bound to several places
        <li
          key={at}
          className="grid gap-x-4 gap-y-1 border-t py-2.5 text-sm first:border-t-0 sm:grid-cols-[8rem_minmax(0,1fr)]"
        >
          <Badge tone={WORDS[what].tone} className="w-fit self-start">
            {WORDS[what].text}
          </Badge>
          <p className="min-w-0">
            <code className="font-mono text-xs">{from.replace(/^config\./, '')}</code>{' '}
            <span className="text-soft">{tell({ from, what, was, now })}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}

function tell({ from, what, was, now }: ChangeWire): string {
  switch (what) {
    case 'gone':
      if (from.startsWith('input.')) return 'has no place in the new graph, so no file is taken for it.';
      return 'has no place in the new graph. The field stays, and does nothing.';
    case 'moved':
      return 'goes to another node that means the same.';
    case 'more':
      return 'is where it was, and also goes to other nodes that mean the same.';
    case 'value':
      return `stays; the graph has ${JSON.stringify(now)} there instead of ${JSON.stringify(was)}. The default is as it was.`;
    case 'kept':
      return 'is where it was.';
  }
}
