'use client';

import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from '#components/ui/button';
import { Checkbox } from '#components/ui/checkbox';
import { ConfirmDialog } from '#components/ui/confirm-dialog';
import { toast } from '#components/ui/toast';
import { studioApi } from '#lib/client/studio-api';
import type { ApiKeyWire } from '#lib/contract/api-key-schemas';

const wordsOf = ({ app, name, last_four }: ApiKeyWire) =>
  app
    ? { act: 'Disconnect', done: 'disconnected', meant: `“${name}” is refused, and has to ask you again,` }
    : { act: 'Revoke', done: 'revoked', meant: `Programs that use the key ending in ${last_four} are refused` };

/** Revokes a key, or disconnects an app. */
export function RevokeKeyDialog({ apiKey }: { apiKey: ApiKeyWire }) {
  const [cancel, setCancel] = useState(false);
  const words = wordsOf(apiKey);
  const queries = useQueryClient();
  const revoke = async () => {
    const { cancelled } = await studioApi.revokeKey({
      params: { key_id: apiKey.id },
      query: { cancel: cancel ? 'true' : 'false' },
    });
    await queries.invalidateQueries({ queryKey: ['account'] });
    toast({
      tone: 'good',
      title: `${apiKey.name} is ${words.done}.`,
      ...(cancelled > 0 && {
        description: `${cancelled} live ${cancelled === 1 ? 'request was' : 'requests were'} cancelled.`,
      }),
    });
  };
  return (
    <ConfirmDialog
      title={`${words.act} “${apiKey.name}”?`}
      description={`${words.meant} from the next request on. This cannot be undone.`}
      confirm={apiKey.app ? words.act : 'Revoke key'}
      leave="Keep it"
      act={revoke}
      trigger={
        <Button size="sm">
          {words.act}
          <span className="sr-only"> {apiKey.name}</span>
        </Button>
      }
    >
      <Checkbox
        label="Also cancel its live requests. Cancelled requests are not refunded."
        checked={cancel}
        onChange={event => setCancel(event.target.checked)}
      />
    </ConfirmDialog>
  );
}
