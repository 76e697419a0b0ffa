'use client';

import { useRef, useState } from 'react';
import { useRouter } from 'next/navigation';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Emblem } from '#components/architectures/emblem';
import { TrialPanel } from '#components/engines/trial-panel';
import { Refused } from '#components/ui/refused';
import type { Built } from '#components/workflows/use-built';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { GemAmount } from '#components/ui/gem-amount';
import { toast } from '#components/ui/toast';
import { operatorApi } from '#lib/client/operator-api';
import { engineQuery } from '#lib/client/admin-queries';
import { many } from '#lib/contract/words';

/** Result of the choices: the remaining issues, a test run, and the button that saves the workflow. */
export function BuiltPanel({
  id,
  engineId,
  built,
  fault,
  save,
  revision: read,
  isChanged = true,
}: {
  id: string;
  engineId: string;
  built: Built;
  /** Fault in an edited text, which is not part of the draft because of it. */
  fault?: string | undefined;
  /** Label of the save button. */
  save: string;
  /** Revision of the saved workflow that is being changed. */
  revision?: string | undefined;
  isChanged?: boolean;
}) {
  const router = useRouter();
  const queries = useQueryClient();
  const engine = useQuery(engineQuery(engineId));
  const [revision, setRevision] = useState(read);
  const { data, isCurrent, error } = built;
  const told = useRef<HTMLElement>(null);
  const isSound = built.isSound && fault === undefined;
  const saving = useMutation({
    mutationFn: () =>
      operatorApi.saveWorkflow({
        params: { workflow_id: id },
        body: { architecture: data!.architecture, workflow: data!.workflow, revision },
      }),
    onSuccess: async saved => {
      setRevision(saved.revision);
      // the save button has nothing left to save and would lose the focus
      if (told.current?.contains(document.activeElement)) told.current.focus();
      await queries.invalidateQueries({ queryKey: ['admin'] });
      toast({ tone: 'good', title: `${saved.name} is now offered.` });
      router.push(`/admin/engines/workflows/${id}`);
    },
  });
  const issues = data ? [...data.issues.architecture, ...data.issues.workflow] : [];
  return (
    <div className="grid content-start gap-8 lg:sticky lg:top-24 lg:self-start">
      <section ref={told} tabIndex={-1} aria-label="Result" className="grid gap-4 outline-none">
        {data && (
          <div className="flex items-center gap-4">
            <Emblem id={String(data.architecture.id)} className="size-12" />
            <div className="grid gap-0.5">
              <p className="font-title text-title">{String(data.architecture.name)}</p>
              <p className="flex gap-3 text-sm text-soft">
                {data.gems !== null && <GemAmount gems={data.gems} />}
                <span className="figures">{many(Object.keys(data.fields).length, 'field')}</span>
              </p>
            </div>
          </div>
        )}
        <Refused refusal={error} />
        {(fault || issues.length > 0) && (
          <Alert tone="bad" title="It cannot be saved yet.">
            <ul className="grid gap-1">
              {fault && <li className="wrap-anywhere">{fault}</li>}
              {issues.map(({ path, message }) => (
                <li key={path + message} className="wrap-anywhere">
                  <code className="font-mono text-xs">{path || '/'}</code> {message}
                </li>
              ))}
            </ul>
          </Alert>
        )}
        <Refused refusal={saving.error} />
        <Button
          tone="primary"
          size="lg"
          disabled={!isSound || !isCurrent || !isChanged}
          busy={saving.isPending}
          onClick={() => saving.mutate()}
        >
          {save}
        </Button>
      </section>
      {engine.data && data && (
        <TrialPanel
          entry={engine.data}
          otherwise="Correct the errors above first."
          choices={isSound ? [String(data.architecture.id)] : []}
          files={{ architecture: data.architecture, workflow: data.workflow }}
        />
      )}
    </div>
  );
}
