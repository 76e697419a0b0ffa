'use client';

import { useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { ask, type Asked } from '#components/library/ask';
import { Button } from '#components/ui/button';
import { CopyButton } from '#components/ui/copy-button';
import { Dialog } from '#components/ui/dialog';
import { Input } from '#components/ui/input';
import { QueryView } from '#components/ui/query-view';
import { Refused } from '#components/ui/refused';
import { Switch } from '#components/ui/switch';
import { toast } from '#components/ui/toast';
import { studioApi } from '#lib/client/studio-api';
import { sharesQuery } from '#lib/client/library-queries';
import { orGone } from '#lib/client/or-gone';
import type { ShareWire } from '#lib/contract/library-schemas';

type Of = Extract<Asked, { kind: 'share' }>['of'];

const isOf = (share: ShareWire, of: Of) =>
  'request_id' in of ? share.request_id === of.request_id : share.collection_id === of.collection_id;

/** Shares a result or a collection on a page for anyone who has its address, and stops sharing it. */
export function ShareDialog({ of, title }: { of: Of; title: string }) {
  const queries = useQueryClient();
  const query = useQuery(sharesQuery);
  const [withSettings, setWithSettings] = useState(true);
  const changed = () => void queries.invalidateQueries({ queryKey: sharesQuery.queryKey });
  const open = useMutation({
    mutationFn: (settings: boolean) => studioApi.createShare({ body: { ...of, settings } }),
    onSuccess: share =>
      queries.setQueryData(sharesQuery.queryKey, all => [share, ...(all ?? []).filter(({ id }) => id !== share.id)]),
  });
  const end = useMutation({
    mutationFn: (id: string) => orGone(studioApi.endShare({ params: { share_id: id } })),
    onSuccess: () => {
      changed();
      ask(null);
      toast({ title: 'No longer shared', description: 'The link no longer works.' });
    },
  });
  const error = open.error ?? end.error;
  return (
    <Dialog open title="Share" description={title} onOpenChange={isOpen => !isOpen && ask(null)}>
      <QueryView query={query}>
        {shares => {
          const share = shares.find(one => isOf(one, of));
          const settings = share?.settings ?? withSettings;
          return (
            <div className="grid gap-5">
              <Refused refusal={error} />
              <p className="text-sm text-soft">
                Anyone with the link can see the page, without an account. It is not listed anywhere, and ends when its
                media do.
              </p>
              <Switch
                label="Show prompt and settings, and let others remix them"
                checked={settings}
                onChange={({ target: { checked } }) => (share ? open.mutate(checked) : setWithSettings(checked))}
              />
              {share ? (
                <>
                  <div className="flex gap-2">
                    <Input
                      aria-label="Address of the page"
                      readOnly
                      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
                      autoFocus={open.isSuccess}
                      value={share.url}
                      onFocus={event => event.target.select()}
                    />
                    <CopyButton text={share.url} tone="primary" size="md" />
                  </div>
                  <div className="flex flex-wrap justify-between gap-2">
                    <Button tone="ghost" busy={end.isPending} onClick={() => end.mutate(share.id)} className="-ml-3">
                      Stop sharing
                    </Button>
                    <Button asChild tone="ghost" className="-mr-3">
                      <a href={share.url} target="_blank" rel="noreferrer">
                        View page <ExternalLink className="size-4" aria-hidden />
                      </a>
                    </Button>
                  </div>
                </>
              ) : (
                <Button tone="primary" busy={open.isPending} onClick={() => open.mutate(settings)}>
                  Create link
                </Button>
              )}
            </div>
          );
        }}
      </QueryView>
    </Dialog>
  );
}
