import { CopyButton } from '#components/ui/copy-button';
import { cn } from '#components/ui/cn';

// enough for shell, JSON, TypeScript and Python: strings, placeholders and comments
const PARTS = /("(?:[^"\\\n]|\\.)*"|'[^']*')|(\$\{?\w+\}?)|((?:^|(?<=\s))(?:#|\/\/) .*)/gm;
const COLOURS = ['text-leaf', 'font-semibold text-accent-ink', 'text-faint italic'];

/** Code with a copy button; `title` is its caption. */
export function CodeBlock({ code, title, className }: { code: string; title: string; className?: string }) {
  return (
    <figure className={cn('min-w-0 overflow-hidden rounded-lg border bg-raised', className)}>
      <figcaption className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 border-b pr-1.5 pl-5 text-xs text-faint">
        {title}
        <CopyButton text={code} of={title} />
      </figcaption>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable regions must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto px-5 py-4 font-mono text-[0.8125rem] leading-6 focus-visible:-outline-offset-2"
      >
        <code>{coloured(code)}</code>
      </pre>
    </figure>
  );
}

function coloured(code: string) {
  const pieces = [];
  let end = 0;
  for (const match of code.matchAll(PARTS)) {
    pieces.push(code.slice(end, match.index));
    const colour = COLOURS[match.slice(1).findIndex(part => part !== undefined)];
    // placeholders inside strings stand out as well: the reader has to fill them in
    pieces.push(
      <span key={match.index} className={colour}>
        {match[1]
          ? match[1].split(/(\$\w+)/).map((part, i) =>
              i % 2 ? (
                <b key={i} className="font-semibold text-accent-ink">
                  {part}
                </b>
              ) : (
                part
              ),
            )
          : match[0]}
      </span>,
    );
    end = match.index + match[0].length;
  }
  return [...pieces, code.slice(end)];
}
