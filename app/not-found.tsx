import type { Metadata } from 'next';
import Link from 'next/link';
import { MessagePage } from '#components/layout/message-page';
import { Button } from '#components/ui/button';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <MessagePage
      title="Nothing grows here."
      action={
        <Button asChild tone="primary">
          <Link href="/">Go to the start page</Link>
        </Button>
      }
    >
      There is no page at this address. It may have moved, or what it showed was deleted.
    </MessagePage>
  );
}
