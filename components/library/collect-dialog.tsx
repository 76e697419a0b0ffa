'use client';

import { useState } from 'react';
import { useRouter } from 'next/navigation';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FolderPlus, Plus } from 'lucide-react';
import { ask } from '#components/library/ask';
import { CollectionCover } from '#components/library/collection-cover';
import { Button } from '#components/ui/button';
import { cn } from '#components/ui/cn';
import { Dialog } from '#components/ui/dialog';
import { Input } from '#components/ui/input';
import { ListRows } from '#components/ui/list-rows';
import { QueryView } from '#components/ui/query-view';
import { Refused } from '#components/ui/refused';
import { SearchInput } from '#components/ui/search-input';
import { toast } from '#components/ui/toast';
import { collect, PartlyCollected } from '#lib/client/collect';
import { hasWords } from '#lib/client/has-words';
import { collectionsQuery } from '#lib/client/library-queries';
import { outdateHistory } from '#lib/client/outdate-history';
import { NAME_LENGTH } from '#lib/contract/library-limits';
import type { RequestWire } from '#lib/contract/schemas';

/** Number of collections above which a search field is shown. */
const IN_SIGHT = 10;

/** Adds results to an existing or a new collection. */
export function CollectDialog({ requests }: { requests: readonly Pick<RequestWire, 'request_id'>[] }) {
  const queries = useQueryClient();
  const router = useRouter();
  const query = useQuery(collectionsQuery);
  const [name, setName] = useState('');
  const [words, setWords] = useState('');
  const put = useMutation({
    mutationFn: (to: { id: string } | { name: string }) =>
      collect(
        queries,
        to,
        requests.map(({ request_id }) => request_id),
      ),
    // also after an error, because some of the results may have been added
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['collections'] });
      outdateHistory(queries, 'collection');
    },
    onSuccess: collection => {
      ask(null);
      toast({
        tone: 'good',
        title: `Added to “${collection.name}”`,
        action: { label: 'Open', onPress: () => router.push(`/collections/${collection.id}`) },
      });
    },
  });
  const create = (event: React.SyntheticEvent) => {
    event.preventDefault();
    // after a partial success, the rest is added to the collection that was created
    const begun = put.error instanceof PartlyCollected ? put.error.collection : null;
    if (name.trim()) put.mutate(begun?.name === name.trim() ? { id: begun.id } : { name });
  };
  return (
    <Dialog
      open
      title={requests.length === 1 ? 'Add to a collection' : `Add ${requests.length} to a collection`}
      description="Results can be in any number of them, and stay in the history."
      isUnsaved={name.trim() !== ''}
      onOpenChange={open => !open && ask(null)}
    >
      <div className="grid grid-cols-1 gap-5">
        <Refused refusal={put.error} />
        <form onSubmit={create} className="flex gap-2">
          <Input
            aria-label="Name of a new collection"
            placeholder="New collection"
            maxLength={NAME_LENGTH}
            value={name}
            onChange={event => setName(event.target.value)}
          />
          <Button type="submit" tone="primary" busy={put.isPending} disabled={!name.trim()}>
            <Plus className="size-4" aria-hidden /> Create
          </Button>
        </form>
        <QueryView query={query} skeleton={<ListRows />}>
          {collections => {
            const found = collections.filter(({ name }) => hasWords(name, words.trim()));
            const isSearched = collections.length > IN_SIGHT;
            return (
              // the minimum height keeps the search field in place while the list shrinks
              <div className={cn('grid grid-cols-1 content-start gap-3', isSearched && 'min-h-[75dvh]')}>
                {isSearched && (
                  <SearchInput
                    aria-label="Search collections"
                    placeholder="Search"
                    value={words}
                    onChange={event => setWords(event.target.value)}
                  />
                )}
                {words.trim() && found.length === 0 && (
                  <p className="py-8 text-center text-sm text-soft">No collection has this name.</p>
                )}
                <ul className="-mx-2 grid grid-cols-1 gap-1">
                  {found.map(({ id, name, count, cover }) => (
                    <li key={id}>
                      <button
                        type="button"
                        // not `disabled`, which would drop the focus
                        aria-disabled={put.isPending}
                        onClick={() => !put.isPending && put.mutate({ id })}
                        className="flex w-full items-center gap-3 rounded-md p-2 text-left hover:bg-ink/7"
                      >
                        <span className="relative size-11 shrink-0 overflow-hidden rounded-sm bg-sunk">
                          <CollectionCover cover={cover} sizes="44px" />
                        </span>
                        <span dir="auto" className="min-w-0 grow truncate">
                          {name}
                        </span>
                        <span className="figures text-sm text-faint">{count}</span>
                        <FolderPlus className="size-4.5 shrink-0 text-faint" aria-hidden />
                      </button>
                    </li>
                  ))}
                </ul>
              </div>
            );
          }}
        </QueryView>
      </div>
    </Dialog>
  );
}
