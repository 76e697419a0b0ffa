'use client';

import { useId, useState, type SyntheticEvent } from 'react';
import Link from 'next/link';
import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useTags } from '#components/library/use-tags';
import { useIsListening } from '#components/ui/use-is-listening';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import { tagsQuery } from '#lib/client/library-queries';
import type { RequestDetailWire } from '#lib/contract/schemas';

/** Tags of a request, which can be added and removed. Each links to all results with that tag. */
export function TagsField({ request }: { request: Pick<RequestDetailWire, 'request_id' | 'tags'> }) {
  const { data: known = [] } = useQuery(tagsQuery);
  const { mutate, isPending } = useTags();
  const [text, setText] = useState('');
  const listId = useId();
  const kept = useKeptFocus();
  const change = (tag: string, give: boolean) => mutate({ requests: [request], tag, give });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const tag = text.trim();
    if (!tag) return;
    // a tag that failed stays in the field for a retry, and so does text entered meanwhile
    const clear = () => setText(now => (now.trim() === tag ? '' : now));
    mutate({ requests: [request], tag, give: true }, { onSuccess: missed => missed.length === 0 && clear() });
  };
  return (
    <section aria-label="Tags" className="flex flex-wrap items-center gap-1.5">
      <div {...kept} className="contents">
        {request.tags.map(tag => (
          <span key={tag} className="inline-flex items-center rounded-full bg-ink/7 text-sm">
            <Link
              href={`/history?tag=${encodeURIComponent(tag)}`}
              title={`Everything with the tag ${tag}`}
              className="rounded-full py-1 pl-3 hover:text-accent-ink pointer-coarse:py-2.5"
            >
              {tag}
            </Link>
            <button
              type="button"
              aria-label={`Remove the tag ${tag}`}
              // not `disabled`, which would drop the focus
              aria-disabled={isPending}
              onClick={() => !isPending && change(tag, false)}
              className="grid size-7 place-items-center rounded-full text-faint pointer-coarse:size-11 hover:text-ink focus-visible:rounded-full"
            >
              <X className="size-3.5" aria-hidden />
            </button>
          </span>
        ))}
        <form
          inert={!useIsListening()}
          onSubmit={submit}
          className="inline-flex items-center gap-1 rounded-full border border-dashed border-edge/70 pl-2.5 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink"
        >
          <Plus className="size-3.5 text-faint" aria-hidden />
          <input
            aria-label="Add a tag"
            placeholder="Tag"
            list={listId}
            maxLength={40}
            value={text}
            onChange={event => setText(event.target.value)}
            className="min-h-7 w-24 bg-transparent pr-3 text-sm max-md:text-base pointer-coarse:min-h-11 outline-none placeholder:text-faint"
          />
          <datalist id={listId}>
            {known.map(({ tag }) => (
              <option key={tag} value={tag}>
                {tag}
              </option>
            ))}
          </datalist>
        </form>
      </div>
    </section>
  );
}
