import { useState } from 'react';
import { Thumb } from '#components/media/thumb';
import { toTitle } from '#components/ui/to-title';
import type { RequestDetailWire } from '#lib/contract/schemas';
import { mediaKindOf } from '#lib/media-kind';

type Inputs = RequestDetailWire['inputs'];

/** The input files of a request. */
export const MadeFrom = ({ inputs }: { inputs: Inputs }) => (
  <section aria-label="Made from" className="grid gap-2">
    <h3 className="text-sm text-faint">Made from</h3>
    <ul className="flex flex-wrap gap-2">
      {inputs.map((input, index) => (
        <li key={`${input.role} ${index}`}>
          <Given input={input} />
        </li>
      ))}
    </ul>
  </section>
);

/** An input file. One that does not load was probably deleted, so it is no link. */
function Given({ input: { url, preview_url, content_type, handle, role } }: { input: Inputs[number] }) {
  const [isLost, setLost] = useState(false);
  return (
    <a
      href={isLost ? undefined : url}
      target="_blank"
      rel="noreferrer"
      className="grid w-20 gap-1 text-xs text-soft hover:text-ink focus-visible:rounded-md"
    >
      <Thumb
        file={{ url, preview_url }}
        media={mediaKindOf(content_type) ?? 'image'}
        sizes="5rem"
        onLost={() => setLost(true)}
        className="aspect-square w-full rounded-md"
      />
      <span className="truncate">{handle ? `@${handle}` : toTitle(role)}</span>
      {isLost && <span className="text-faint">The file is gone</span>}
    </a>
  );
}
