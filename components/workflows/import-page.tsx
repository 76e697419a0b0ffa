'use client';

import { useEffect, useRef } from 'react';
import { useMutation } from '@tanstack/react-query';
import { BackLink } from '#components/ui/back-link';
import { Refused } from '#components/ui/refused';
import { takePending } from '#components/workflows/pending-file';
import { readFile } from '#components/workflows/read-file';
import { WorkflowDrop } from '#components/workflows/workflow-drop';
import { InPlace, onDemand } from '#components/ui/on-demand';
import { Loading } from '#components/ui/query-view';
import { operatorApi } from '#lib/client/operator-api';

const ImportForm = onDemand(async () => (await import('#components/workflows/import-form')).ImportForm);
const UpdateForm = onDemand(async () => (await import('#components/workflows/update-form')).UpdateForm);

/** Imports a workflow from a file, as a new architecture or as a new version of the workflow `replaces`. */
export function ImportPage({ replaces }: { replaces: string | undefined }) {
  const read = useMutation({
    mutationFn: async (file: File) =>
      operatorApi.readWorkflow({ body: { ...(await readFile(file)), ...(replaces && { replaces }) } }),
  });
  const { mutate } = read;
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    const dropped = takePending();
    if (dropped) mutate(dropped);
  });
  // the code of the form loads while the operator chooses a file
  useEffect(() => (replaces === undefined ? ImportForm : UpdateForm).near(), [replaces]);
  const name = nameOf(read.variables?.name ?? '');
  return (
    <div className="grid grid-cols-1 gap-8">
      <header className="grid gap-3">
        <BackLink href="/admin/engines">All engines</BackLink>
        <h2 className="font-title text-title">{replaces ? `New version of ${replaces}` : 'Import a workflow'}</h2>
      </header>
      {(!read.data || read.isPending) && (
        <WorkflowDrop
          title={read.isPending ? `Reading ${read.variables.name}` : 'Choose a workflow'}
          isBusy={read.isPending}
          onFile={file => mutate(file)}
        />
      )}
      <Refused refusal={read.error} />
      {read.data && (
        <InPlace fallback={<Loading />}>
          {replaces !== undefined && read.data.update ? (
            <UpdateForm key={read.submittedAt} id={replaces} reading={read.data} update={read.data.update} />
          ) : (
            <ImportForm key={read.submittedAt} reading={read.data} name={name} />
          )}
        </InPlace>
      )}
    </div>
  );
}

/** Derives a name from a file name: `my_workflow_api.json` becomes "My workflow". */
function nameOf(file: string): string {
  const words = file
    .replace(/\.\w+$/, '')
    .replaceAll(/[_\-\s]+/g, ' ')
    .replace(/ ?\bapi\b ?/i, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1, 60);
}
