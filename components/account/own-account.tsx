'use client';

import { use } from 'react';
import { OwnAccountPage } from '#components/account/own-account-page';
import { TextLink } from '#components/ui/text-link';

/** An action only for operators: an operator gets a link to their own account, other users read whom to ask. */
export function OwnAccount({ act, children }: { act: string; children: string }) {
  const page = use(OwnAccountPage);
  return page ? <TextLink href={page}>{act}</TextLink> : children;
}
