'use client';

import { useMemo } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FailureNote } from '#components/generations/failure-note';
import { GenerationCard, type CardRequest } from '#components/generations/generation-card';
import { Place, Rows } from '#components/generations/rows';
import { UseAs } from '#components/generations/use-as';
import { dismiss, submit, type Submission } from '#components/generations/visit';
import { EarlierResults } from '#components/studio/earlier-results';
import { Button } from '#components/ui/button';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { requestsQuery } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';

/** What this visit made, newest first and live; below, what was made before. */
export function VisitResults({
  visit,
  entry,
  entries,
}: {
  visit: readonly Submission[];
  entry: CatalogEntry;
  entries: readonly CatalogEntry[];
}) {
  const ids = useMemo(() => visit.flatMap(({ requestId }) => requestId ?? []).slice(0, 50), [visit]);
  const { data: made = [], isSuccess, isPlaceholderData } = useQuery(requestsQuery(ids));
  const isKnown = isSuccess && !isPlaceholderData;
  const byId = new Map(made.map(request => [request.request_id, request]));
  // what was removed from the history elsewhere goes from here too
  const shown = visit.filter(({ requestId }) => {
    const request = byId.get(requestId ?? '');
    return request ? !request.removed_at : !requestId || !isKnown;
  });
  return (
    <div className="grid gap-10">
      {shown.length > 0 && (
        <section aria-label="This visit">
          <Rows>
            {shown.map(submission => (
              <Place key={submission.key} aspect={submission.aspect}>
                <SubmissionCard
                  submission={submission}
                  request={byId.get(submission.requestId ?? '')}
                  entry={entry}
                  entries={entries}
                />
              </Place>
            ))}
          </Rows>
        </section>
      )}
      <EarlierResults besides={ids} entry={entry} entries={entries} isAlone={shown.length === 0} />
    </div>
  );
}

function SubmissionCard({
  submission,
  request,
  entry,
  entries,
}: {
  submission: Submission;
  request: RequestWire | undefined;
  entry: CatalogEntry;
  entries: readonly CatalogEntry[];
}) {
  const { refusal, aspect, body, key, isWaiting } = submission;
  const again = <AgainButton submission={submission} />;
  if (refusal) {
    return (
      <article aria-label={String(body.prompt)} className="grid gap-2">
        <FailureNote {...refusal} retry={again} />
        <p className="line-clamp-2 text-sm">{String(body.prompt)}</p>
        <Button tone="ghost" size="sm" onClick={() => dismiss(key)} className="-ml-3 justify-self-start">
          Clear away
        </Button>
      </article>
    );
  }
  return (
    <>
      <GenerationCard
        request={request ?? toExpected(submission)}
        aspect={aspect}
        retry={again}
        actions={request && <UseAs request={request} entry={entry} entries={entries} />}
      />
      {isWaiting && (
        <output className="text-xs text-amber">
          No answer yet. It is sent again by itself, and never charged twice.
        </output>
      )}
    </>
  );
}

/** What stands there from the press of the button until the first answer. */
const toExpected = ({ key, architecture, type, body, gems, createdAt }: Submission): CardRequest => ({
  request_id: key,
  status: 'queued',
  architecture,
  model_id: String(body.model_id ?? ''),
  type,
  prompt: String(body.prompt ?? ''),
  created_at: new Date(createdAt).toISOString(),
  billing: { mode: 'gems', gems_charged: gems },
  result: null,
  error: null,
});

function AgainButton({ submission }: { submission: Submission }) {
  const queryClient = useQueryClient();
  return (
    <Button
      size="sm"
      onClick={() => void submit(submission).then(() => queryClient.invalidateQueries({ queryKey: ['requests'] }))}
    >
      Try again
    </Button>
  );
}
