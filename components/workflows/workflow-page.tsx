'use client';

import { useState } from 'react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { BookOpen, Download, Sprout, Trash2 } from 'lucide-react';
import { ConfirmDialog } from '#components/ui/confirm-dialog';
import { JsonField, useJsonFaults } from '#components/engines/json-field';
import { useTitle } from '#components/layout/use-title';
import { saveBlob } from '#components/media/save-blob';
import { BackLink } from '#components/ui/back-link';
import { BuiltPanel } from '#components/workflows/built-panel';
import { handOver } from '#components/workflows/pending-file';
import { useBuilt } from '#components/workflows/use-built';
import { WorkflowDrop } from '#components/workflows/workflow-drop';
import { Button } from '#components/ui/button';
import { CodeBlock } from '#components/ui/code-block';
import { Panel } from '#components/ui/panel';
import { PageView, QueryView } from '#components/ui/query-view';
import { TextLink } from '#components/ui/text-link';
import { operatorApi } from '#lib/client/operator-api';
import { enginesQuery, workflowQuery, workflowsQuery } from '#lib/client/admin-queries';
import { orGone } from '#lib/client/or-gone';
import { curl } from '#lib/docs/call-code';
import type { SavedWorkflowWire, WorkflowFilesWire } from '#lib/contract/engine-schemas';

/** A workflow and its architecture: where it is offered, its two files, and an import of a new version. */
export function WorkflowPage({ id }: { id: string }) {
  const query = useQuery(workflowQuery(id));
  return (
    <div className="grid grid-cols-1 gap-8">
      <BackLink href="/admin/engines">All engines</BackLink>
      <PageView query={query}>{saved => <Files id={id} saved={saved} />}</PageView>
    </div>
  );
}

function Files({ id, saved: { revision, ...files } }: { id: string; saved: SavedWorkflowWire }) {
  const [draft, setDraft] = useState({ files });
  const built = useBuilt(draft);
  const { fault, onFault } = useJsonFaults();
  const router = useRouter();
  const engines = useQuery(enginesQuery);
  const isOwn = useQuery(workflowsQuery).data?.data.some(one => one.id === id && one.from === 'own') ?? false;
  const change = (part: Partial<WorkflowFilesWire>) => setDraft({ files: { ...draft.files, ...part } });
  const architecture = String(files.architecture.id);
  const name = String(files.architecture.name);
  useTitle(name);
  return (
    <div className="grid grid-cols-1 gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[minmax(0,1fr)_26rem]">
      <div className="grid grid-cols-1 content-start gap-10">
        <header className="grid gap-4">
          <h2 className="font-title text-title">{name}</h2>
          <div className="flex flex-wrap gap-2">
            <Button size="sm" asChild>
              <Link href={`/create/${architecture}`}>
                <Sprout className="size-4" aria-hidden /> Open in the studio
              </Link>
            </Button>
            <Button size="sm" asChild>
              <Link href={`/docs/models/${architecture}`}>
                <BookOpen className="size-4" aria-hidden /> API reference
              </Link>
            </Button>
            <SaveFile name={`architectures-${architecture}.json`} file={files.architecture} label="Architecture file" />
            <SaveFile name={`workflows-${id}.json`} file={files.workflow} label="Workflow file" />
            {isOwn && <Remove id={id} onRemoved={() => router.replace('/admin/engines')} />}
          </div>
        </header>
        <CodeBlock
          title="Call it"
          code={curl({
            method: 'POST',
            url: `${location.origin}/v1/${architecture}/generate`,
            body: { prompt: 'a lighthouse at dusk' },
          })}
        />
        <WorkflowDrop
          title="A new version of its graph"
          onFile={file => {
            handOver(file);
            router.push(`/admin/engines/import?replaces=${id}`);
          }}
        />
        <Panel title="Files">
          <p className="max-w-prose text-sm text-soft">
            Everything about it: titles, limits, tokens and the price are in the first, the graph and where each value
            goes in the second. Errors say where they are.
          </p>
          <JsonField
            label={`architectures/${architecture}.json`}
            value={draft.files.architecture}
            rows={14}
            error={undefined}
            onChange={architecture => change({ architecture })}
            onFault={onFault}
          />
          <JsonField
            label={`workflows/${id}.json`}
            value={draft.files.workflow}
            rows={14}
            error={undefined}
            onChange={workflow => change({ workflow })}
            onFault={onFault}
          />
        </Panel>
      </div>
      <QueryView query={engines}>
        {({ data }) => {
          const engine = data.find(({ type }) => type === 'comfyui');
          if (!engine)
            return (
              <p className="text-sm text-soft">
                <TextLink href="/admin/engines/connect">Connect a ComfyUI</TextLink> to test and change it.
              </p>
            );
          return (
            <BuiltPanel
              id={id}
              engineId={engine.id}
              built={built}
              fault={fault}
              save="Save the files"
              revision={revision}
              isChanged={JSON.stringify(draft.files) !== JSON.stringify(files)}
            />
          );
        }}
      </QueryView>
    </div>
  );
}

/** Downloads a file that the browser creates when the button is pressed. */
function SaveFile({ name, file, label }: { name: string; file: object; label: string }) {
  const save = () => saveBlob(new Blob([`${JSON.stringify(file, null, 2)}\n`], { type: 'application/json' }), name);
  return (
    <Button size="sm" onClick={save}>
      <Download className="size-4" aria-hidden /> {label}
    </Button>
  );
}

function Remove({ id, onRemoved }: { id: string; onRemoved: () => void }) {
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      title={`Remove ${id}?`}
      description="Its architecture goes too, unless another workflow makes it. Results stay. Export the two files first if you may want it back."
      confirm="Remove"
      trigger={
        <Button size="sm" tone="danger">
          <Trash2 className="size-4" aria-hidden /> Remove
        </Button>
      }
      act={async () => {
        await orGone(operatorApi.removeWorkflow({ params: { workflow_id: id } }));
        // no refetch here, because this page would request the deleted workflow
        await queries.invalidateQueries({ queryKey: ['admin'], refetchType: 'none' });
        onRemoved();
      }}
    />
  );
}
