'use client';

import { Names } from '#components/engines/lacks-list';
import { Alert } from '#components/ui/alert';
import type { FoundWire } from '#lib/contract/engine-schemas';

/** Nodes and files that the server lacks to run a workflow, by name. */
export function MissingNote({ missing: { nodes, files }, engine }: { missing: FoundWire['missing']; engine: string }) {
  if (nodes.length + files.length === 0) return null;
  return (
    <Alert
      tone="warn"
      title={`${engine} lacks files or nodes that this workflow needs. You can save it now; it runs once they are there.`}
    >
      <div className="mt-1 grid gap-3 [&_ul]:pl-0">
        {nodes.length > 0 && (
          <div className="grid gap-1">
            <p>Nodes, which come with custom node packs:</p>
            <Names names={nodes} />
          </div>
        )}
        {files.length > 0 && (
          <div className="grid gap-1">
            <p>Files, for the folders of its models:</p>
            <Names names={files} />
          </div>
        )}
      </div>
    </Alert>
  );
}
