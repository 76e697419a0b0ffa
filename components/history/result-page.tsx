'use client';

import { useState } from 'react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { ArrowLeft } from 'lucide-react';
import { DeleteDialog } from '#components/history/delete-dialog';
import { useHistoryActs } from '#components/history/use-history-acts';
import { Viewer } from '#components/history/viewer';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestDetailWire, RequestWire } from '#lib/contract/schemas';

/** The viewer as a page of its own, whose address can be kept. */
export function ResultPage({ first, entries }: { first: RequestDetailWire; entries: readonly CatalogEntry[] }) {
  const router = useRouter();
  const { remove } = useHistoryActs();
  const [deleting, setDeleting] = useState<RequestWire | null>(null);
  return (
    <div className="-mx-5 -my-6 flex flex-col md:-mx-[clamp(1.25rem,4vw,4rem)] md:-my-10 lg:h-dvh">
      <h1 className="sr-only">{first.prompt || 'Result'}</h1>
      <Viewer
        id={first.request_id}
        first={first}
        entries={entries}
        onDelete={setDeleting}
        controls={
          <Link
            href="/history"
            className="inline-flex items-center gap-2 justify-self-start text-sm text-soft hover:text-ink"
          >
            <ArrowLeft className="size-4" aria-hidden />
            History
          </Link>
        }
      />
      {deleting && (
        <DeleteDialog
          requests={[deleting]}
          onClose={() => setDeleting(null)}
          onDelete={async requests => {
            if (await remove(requests)) router.push('/history');
          }}
        />
      )}
    </div>
  );
}
