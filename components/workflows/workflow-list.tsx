'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { Emblem } from '#components/architectures/emblem';
import { handOver } from '#components/workflows/pending-file';
import { WorkflowDrop } from '#components/workflows/workflow-drop';
import { GemAmount } from '#components/ui/gem-amount';
import { ListRows } from '#components/ui/list-rows';
import { Panel } from '#components/ui/panel';
import { QueryView } from '#components/ui/query-view';
import { Table, type Column } from '#components/ui/table';
import { workflowsQuery } from '#lib/client/admin-queries';
import type { WorkflowWire } from '#lib/contract/engine-schemas';

/** The workflows that are offered, with a drop zone to import more. */
export function WorkflowList() {
  const query = useQuery(workflowsQuery);
  const router = useRouter();
  return (
    <Panel title="Workflows">
      <p className="max-w-prose text-soft">
        Any ComfyUI workflow becomes a priced API with a form. Those below are served by every ComfyUI that has the
        files they need.
      </p>
      <WorkflowDrop
        title="Import a workflow"
        onFile={file => {
          handOver(file);
          router.push('/admin/engines/import');
        }}
      />
      <QueryView query={query} skeleton={<ListRows />}>
        {({ data }) => <Table caption="Workflows" rows={data} rowKey={({ id }) => id} columns={COLUMNS} />}
      </QueryView>
    </Panel>
  );
}

const COLUMNS: readonly Column<WorkflowWire>[] = [
  {
    key: 'name',
    head: 'Workflow',
    className: 'align-middle',
    cell: ({ id, architecture, name }) => (
      <span className="flex items-center gap-3">
        <Emblem id={architecture} className="size-7" />
        <span className="grid">
          <Link href={`/admin/engines/workflows/${id}`} className="finger-line w-fit font-medium hover:text-accent-ink">
            {name}
          </Link>
          <span className="text-xs text-faint">{id}</span>
        </span>
      </span>
    ),
  },
  {
    key: 'models',
    head: 'Models',
    className: 'align-middle text-soft max-sm:hidden',
    cell: ({ model_ids }) => model_ids.join(', '),
  },
  {
    key: 'type',
    head: 'Makes',
    className: 'align-middle text-soft max-sm:hidden',
    cell: ({ type }) => type,
  },
  {
    key: 'from',
    head: 'From',
    className: 'align-middle text-soft',
    cell: ({ from }) => (from === 'own' ? 'imported' : 'shipped'),
  },
  {
    key: 'price',
    head: 'Price',
    number: true,
    className: 'align-middle',
    cell: ({ gems }) => <GemAmount gems={gems} />,
  },
];
