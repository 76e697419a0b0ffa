'use client';

import type { ReactNode } from 'react';
import { Emblem } from '#components/architectures/emblem';
import { LacksList } from '#components/engines/lacks-list';
import { typeName } from '#components/engines/engine-types';
import { Badge } from '#components/ui/badge';
import type { ExaminationWire } from '#lib/contract/engine-schemas';
import { many } from '#lib/contract/words';

/** What was found at an address: its type, its models, what it can make now, and what it lacks for the rest. */
export function Found({ found, action }: { found: ExaminationWire; action?: ReactNode }) {
  const { type, program, version, url, detail, ok, models, serves } = found;
  const ready = serves.filter(({ lacks }) => lacks.length === 0);
  const lacking = serves.filter(({ lacks }) => lacks.length > 0);
  return (
    <section aria-label="What is there" className="grid gap-5 rounded-lg border bg-raised p-5 sm:p-6">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="grid min-w-0 gap-1">
          <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-title text-title">
            {program ?? typeName(type!)} {version && <span className="figures text-soft">{version}</span>}
            <Badge tone={ok ? 'good' : 'bad'} dot className="font-sans">
              {ok ? 'Answers' : 'Does not answer as it should'}
            </Badge>
          </h3>
          <p className="font-mono text-xs break-all text-faint">{url}</p>
          {detail && <p className="text-sm text-soft">{detail}</p>}
        </div>
        {action}
      </div>
      {type === 'comfyui' && (
        <div className="grid gap-3">
          {ready.length > 0 ? (
            <>
              <p className="text-sm font-medium">Can make now</p>
              <ul className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
                {byArchitecture(ready).map(([architecture, ids]) => (
                  <li key={architecture} className="inline-flex items-center gap-2">
                    <Emblem id={architecture} className="size-6" />
                    {architecture} <span className="text-faint">{ids.join(', ')}</span>
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <p className="text-sm text-soft">
              It does not have all the files of any model yet. Add those below, or import a workflow of your own.
            </p>
          )}
          {lacking.length > 0 && <LacksList lacking={lacking} isOpen={ready.length === 0} />}
        </div>
      )}
      {models.length > 0 && (
        <details className="text-sm">
          <summary className="finger-line w-fit text-soft underline-offset-4 hover:underline">
            {many(models.length, 'model')} {type === 'comfyui' ? 'installed' : 'listed'}
          </summary>
          <ul className="mt-2 grid max-h-60 gap-0.5 overflow-y-auto font-mono text-xs text-soft">
            {models.map(model => (
              <li key={model} className="break-all">
                {model}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function byArchitecture(made: ExaminationWire['serves']): [string, string[]][] {
  const groups = Map.groupBy(made, ({ architecture }) => architecture);
  return [...groups].map(([architecture, all]) => [architecture, all.map(({ model_id }) => model_id)]);
}
