import type { Metadata } from 'next';
import { MessagePage } from '#components/layout/message-page';
import { Button } from '#components/ui/button';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <MessagePage
      title="Page not found"
      action={
        <Button asChild tone="primary">
          {/* oxlint-disable-next-line nextjs/no-html-link-for-pages -- saves link code, as in MessagePage */}
          <a href="/">Go to the start page</a>
        </Button>
      }
    >
      There is no page at this address. It may have moved, or what it showed was deleted or is no longer shared.
    </MessagePage>
  );
}
