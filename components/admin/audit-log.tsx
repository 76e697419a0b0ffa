'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '#components/ui/empty-state';
import { ListRows } from '#components/ui/list-rows';
import { Moment } from '#components/ui/moment';
import { PagesView } from '#components/ui/pages-view';
import { TextLink } from '#components/ui/text-link';
import { auditQuery } from '#lib/client/admin-queries';
import type { AuditEntryWire } from '#lib/contract/admin-schemas';

/** All acts of operators, and those with which account holders change how they sign in. */
export function AuditLog() {
  return (
    <div className="grid grid-cols-1 gap-6">
      <p className="max-w-prose text-soft">
        Who did what, and what it was before. Entries are written with the change itself and never edited.
      </p>
      <AuditList />
    </div>
  );
}

/** Audit entries of all accounts, or of one. */
export function AuditList({ accountId }: { accountId?: string }) {
  const query = useInfiniteQuery(auditQuery(accountId));
  return (
    <PagesView query={query} skeleton={<ListRows />}>
      {rows =>
        rows.length > 0 ? (
          <ol className="grid">
            {rows.map(entry => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ol>
        ) : (
          <EmptyState title="No entries yet">
            Grants, limits, permissions, invitations and retirements are recorded here.
          </EmptyState>
        )
      }
    </PagesView>
  );
}

function Entry({ entry: { actor, act, subject, account_id, before, after, created_at } }: { entry: AuditEntryWire }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <li className="grid gap-x-8 gap-y-1.5 border-t py-3.5 text-sm wrap-anywhere first:border-t-0 first:pt-0 md:grid-cols-[8.5rem_minmax(0,1fr)_minmax(0,1fr)]">
      <Moment at={created_at} as="minute" className="figures text-faint" />
      <p className="grid content-start gap-0.5">
        <span className="flex flex-wrap items-baseline gap-x-3">
          <code className="font-mono text-xs text-accent-ink">{act}</code>
          {account_id ? (
            <TextLink href={`/admin/accounts/${account_id}`} className="finger-line decoration-1">
              {subject}
            </TextLink>
          ) : (
            <span className="min-w-0">{subject}</span>
          )}
        </span>
        <span className="text-xs text-faint">by {actor}</span>
      </p>
      {names.length > 0 && (
        <dl className="grid content-start gap-0.5 text-xs">
          {names.map(name => (
            <div key={name} className="flex flex-wrap gap-x-2">
              <dt className="text-faint">{wordsOf(name)}</dt>
              <dd className="figures">
                {before && name in before && (
                  <>
                    <span className="text-soft line-through decoration-faint">{text(before[name])}</span>{' '}
                    <span aria-hidden>→</span>
                    <span className="sr-only">became</span>{' '}
                  </>
                )}
                {text(after?.[name])}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

/** Splits a field name, in snake case or camel case, into words. */
const wordsOf = (name: string) => name.replace(/_|(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

function text(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'number') return value.toLocaleString('en');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
