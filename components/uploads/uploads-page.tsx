'use client';

import { useCallback, useState } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { PageHead } from '#components/layout/page-head';
import { useMediaUploads } from '#components/studio/use-media-uploads';
import { DropZone } from '#components/uploads/drop-zone';
import { PendingRow } from '#components/uploads/pending-row';
import { UploadRow } from '#components/uploads/upload-row';
import { onDemand, Opening } from '#components/ui/on-demand';
import { PagesView } from '#components/ui/pages-view';
import { Skeleton } from '#components/ui/skeleton';
import { uploadsQuery } from '#lib/client/cast-queries';
import type { UploadWire } from '#lib/contract/cast-schemas';

const DeleteUpload = onDemand(async () => (await import('#components/uploads/delete-upload')).DeleteUpload);

/** Uploads of the account, for use in any media field. They are deleted after 30 days. */
export function UploadsPage() {
  const query = useInfiniteQuery(uploadsQuery);
  // time of the last finished upload: a list fetched before it does not contain that upload yet
  const [sentAt, setSentAt] = useState(0);
  const uploads = useMediaUploads(
    useCallback(() => setSentAt(Date.now()), []),
    'uploads',
  );
  const [doomed, setDoomed] = useState<UploadWire | null>(null);
  // tickets whose file was never uploaded are not shown
  const ready = (query.data?.pages ?? []).flatMap(({ data }) => data.filter(({ status }) => status === 'ready'));
  const isEmpty = ready.length + uploads.pending.length === 0;
  return (
    <>
      <PageHead pages="Cast and files" title="Uploads">
        Images, videos and audio to use in any field that takes a file, here or through the API. Each is kept for 30
        days.
      </PageHead>
      <div className="grid grid-cols-1 gap-8">
        <DropZone onFile={uploads.start} />
        {/* outside of `PagesView`, so that pending uploads show even if the list does not load */}
        {!isEmpty && (
          <ul
            aria-label="Uploads"
            className="grid grid-cols-[repeat(auto-fill,minmax(min(40rem,100%),1fr))] gap-x-12 border-t"
          >
            {uploads.pending.map(upload => (
              <PendingRow key={upload.id} upload={upload} onStop={() => uploads.stop(upload.id)} />
            ))}
            {ready.map(upload => (
              <UploadRow key={upload.id} upload={upload} onDelete={setDoomed} />
            ))}
          </ul>
        )}
        <PagesView query={query} skeleton={<Loading />}>
          {() =>
            isEmpty &&
            query.dataUpdatedAt > sentAt && (
              <p className="py-6 text-center text-sm text-soft">
                No uploads yet. They appear here, with their address and the day they expire.
              </p>
            )
          }
        </PagesView>
      </div>
      <Opening onClose={() => setDoomed(null)}>
        {doomed && <DeleteUpload upload={doomed} onClose={() => setDoomed(null)} />}
      </Opening>
    </>
  );
}

function Loading() {
  return (
    <div className="grid gap-4">
      {[0, 1, 2, 3].map(row => (
        <Skeleton key={row} className="h-20" />
      ))}
    </div>
  );
}
