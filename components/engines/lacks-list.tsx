'use client';

import { Emblem } from '#components/architectures/emblem';
import { many } from '#lib/contract/words';

interface Lacking {
  architecture: string;
  model_id: string;
  lacks: string[];
}

/** Disclosure of the models that cannot be served yet, with their missing files and nodes. */
export function LacksList({ lacking, isOpen }: { lacking: readonly Lacking[]; isOpen?: boolean }) {
  return (
    <details open={isOpen} className="group text-sm">
      <summary className="finger-line w-fit text-amber underline-offset-4 hover:underline">
        Lacks something for {many(lacking.length, 'model')}
      </summary>
      <ul className="mt-2 grid gap-3">
        {lacking.map(({ architecture, model_id, lacks }) => (
          <li key={`${architecture}/${model_id}`} className="grid gap-1">
            <span className="inline-flex items-center gap-2">
              <Emblem id={architecture} className="size-5" />
              {architecture} <span className="text-faint">{model_id}</span>
            </span>
            <Names names={lacks} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Names of files and nodes, each selected as a whole so that it is easy to copy. */
export function Names({ names }: { names: readonly string[] }) {
  return (
    <ul className="grid gap-0.5 pl-7 font-mono text-xs text-soft">
      {names.map(name => (
        <li key={name} className="break-all select-all">
          {name}
        </li>
      ))}
    </ul>
  );
}
