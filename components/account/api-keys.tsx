'use client';

import { useState, type ComponentProps, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { CreateKeyDialog } from '#components/account/create-key-dialog';
import type { CreatedKey } from '#components/account/create-key-form';
import { KeyList } from '#components/account/key-list';
import type { SnippetFacts } from '#components/account/key-snippets';
import { NewKey } from '#components/account/new-key';
import { besidePage, InPlace } from '#components/ui/on-demand';
import { Panel } from '#components/ui/panel';
import { EmptyState } from '#components/ui/empty-state';
import { ListRows } from '#components/ui/list-rows';
import { QueryView } from '#components/ui/query-view';
import { Switch } from '#components/ui/switch';
import { TextLink } from '#components/ui/text-link';
import { keysQuery } from '#lib/client/account-queries';

const KeySnippets = besidePage(async () => (await import('#components/account/key-snippets')).KeySnippets);

/** The API tab: keys, and code examples that use them. */
export function ApiKeys({
  example,
  names,
}: {
  example: Omit<SnippetFacts, 'apiKey'> | null;
  names: Record<string, string>;
}) {
  const [created, setCreated] = useState<CreatedKey>();
  const keys = useQuery(keysQuery);
  return (
    <div className="grid grid-cols-1 gap-12">
      <section aria-label="Keys" className="grid grid-cols-1 gap-6">
        <div className="flex flex-wrap items-end justify-between gap-4">
          <p className="max-w-prose wrap-anywhere text-soft">
            Programs call <code className="font-mono text-[0.875em] text-ink">{example?.baseUrl}/v1</code> with a key.
            Give each one its own, so that one can be revoked without the others.
          </p>
          <CreateKeyDialog onCreated={setCreated} />
        </div>
        {created && <NewKey created={created} />}
        <QueryView query={keys} skeleton={<ListRows />}>
          {keys => (
            <Keys keys={keys.filter(key => !key.app)} label="API keys" names={names} onRolled={setCreated}>
              <EmptyState title="No keys yet">Create one to call the API from your programs.</EmptyState>
            </Keys>
          )}
        </QueryView>
      </section>
      <Panel title="Connected apps">
        <p className="max-w-prose text-sm wrap-anywhere text-soft">
          Agents connect at <code className="font-mono text-[0.875em] text-ink">{example?.baseUrl}/mcp</code>. You are
          asked what each may do and spend. <TextLink href="/docs/agents">How to connect one</TextLink>
        </p>
        <QueryView query={keys} skeleton={<ListRows />}>
          {keys => (
            <Keys keys={keys.filter(key => key.app)} label="Connected apps" names={names} onRolled={setCreated} />
          )}
        </QueryView>
      </Panel>
      {example && (
        <Panel title="Use it">
          <p className="max-w-prose text-sm text-soft">
            {created
              ? `First set POMONA_KEY to the key ${created.name}.`
              : 'First set POMONA_KEY to a key. Once you create one, the command for it appears here.'}{' '}
            Prices and fields are in the <TextLink href="/docs">API reference</TextLink>.
          </p>
          <InPlace>
            <KeySnippets {...example} apiKey={created?.key} />
          </InPlace>
        </Panel>
      )}
    </div>
  );
}

type ListProps = ComponentProps<typeof KeyList>;

/** Lists keys that are not revoked, and the revoked ones on request. Shows `children` when the list is empty. */
function Keys({ keys, children, ...rest }: ListProps & { children?: ReactNode }) {
  const [withRevoked, setWithRevoked] = useState(false);
  const revoked = keys.filter(key => key.revoked_at !== null).length;
  const shown = withRevoked ? keys : keys.filter(key => key.revoked_at === null);
  return (
    <div className="grid grid-cols-1 gap-4">
      {shown.length > 0 ? <KeyList keys={shown} {...rest} /> : children}
      {revoked > 0 && (
        <Switch
          label={`Show ${rest.label === 'API keys' ? 'revoked' : 'disconnected'} (${revoked})`}
          checked={withRevoked}
          onChange={event => setWithRevoked(event.target.checked)}
        />
      )}
    </div>
  );
}
