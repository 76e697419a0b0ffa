'use client';

import { useState, type SyntheticEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#components/library/ask';
import { useTags } from '#components/library/use-tags';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { Input } from '#components/ui/input';
import { SegmentedControl } from '#components/ui/segmented-control';
import { toast } from '#components/ui/toast';
import { tagsQuery } from '#lib/client/library-queries';
import type { RequestWire } from '#lib/contract/schemas';

const ACTS = [
  { value: 'give', label: 'Add' },
  { value: 'take', label: 'Remove' },
];

/** Adds a tag to several results, or removes one. */
export function TagDialog({ requests }: { requests: readonly Pick<RequestWire, 'request_id'>[] }) {
  const { data: known = [] } = useQuery(tagsQuery);
  const { mutate, isPending } = useTags();
  const [act, setAct] = useState('give');
  const [text, setText] = useState('');
  const give = act === 'give';
  const change = (tag: string) =>
    mutate(
      { requests, tag, give },
      {
        onSuccess: reasons => {
          if (reasons.length > 0) return;
          ask(null);
          toast({ tone: 'good', title: give ? `Tagged “${tag}”` : `No longer tagged “${tag}”` });
        },
      },
    );
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (text.trim()) change(text.trim());
  };
  return (
    <Dialog
      open
      title={requests.length === 1 ? 'Tag it' : `Tag ${requests.length} results`}
      description="Tags help you find results in the history."
      isUnsaved={text.trim() !== ''}
      onOpenChange={open => !open && ask(null)}
    >
      <div className="grid gap-5">
        <SegmentedControl
          label="What to do"
          segments={ACTS}
          value={act}
          onValueChange={setAct}
          className="justify-self-start"
        />
        <form onSubmit={submit} className="flex gap-2">
          <Input
            aria-label="Tag"
            placeholder="Tag"
            maxLength={40}
            value={text}
            onChange={event => setText(event.target.value)}
          />
          <Button type="submit" tone="primary" busy={isPending} disabled={!text.trim()}>
            {give ? 'Add' : 'Remove'}
          </Button>
        </form>
        {known.length > 0 && (
          <ul aria-label="Existing tags" className="flex flex-wrap gap-1.5">
            {known.map(({ tag, count }) => (
              <li key={tag}>
                <Button
                  size="sm"
                  // not `disabled`, which would drop the focus
                  aria-disabled={isPending}
                  onClick={() => !isPending && change(tag)}
                  className="rounded-full font-normal"
                >
                  {tag} <span className="figures text-xs text-faint">{count}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
