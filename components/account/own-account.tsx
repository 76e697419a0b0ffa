'use client';

import { use } from 'react';
import { OwnAccountPage } from '#components/account/own-account-page';
import { TextLink } from '#components/ui/text-link';

/** What only an operator can do: one who is at the page is led to their own account, everybody else reads whom to ask. */
export function OwnAccount({ act, children }: { act: string; children: string }) {
  const page = use(OwnAccountPage);
  return page ? <TextLink href={page}>{act}</TextLink> : children;
}
