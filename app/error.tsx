'use client';

import { MessagePage } from '#components/layout/message-page';
import { Button } from '#components/ui/button';

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <MessagePage
      title="That did not work."
      action={
        <Button tone="primary" onClick={reset}>
          Try again
        </Button>
      }
    >
      The page could not be shown. Nothing was charged for it.
      {error.digest && (
        <>
          {' '}
          If it stays so, tell the operator the number <span className="figures text-ink">{error.digest}</span>.
        </>
      )}
    </MessagePage>
  );
}
