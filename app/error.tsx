'use client';

import { lazy, Suspense } from 'react';

// every page carries this file: what it draws comes when it is needed
const MessagePage = lazy(() =>
  import('#components/layout/message-page').then(module => ({ default: module.MessagePage })),
);
const Button = lazy(() => import('#components/ui/button').then(module => ({ default: module.Button })));

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <Suspense>
      {' '}
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
    </Suspense>
  );
}
