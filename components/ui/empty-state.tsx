import type { ReactNode } from 'react';

/** Placeholder of an empty list: says what would be here and what to do next. */
export function EmptyState({
  title,
  children,
  action,
  picture,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
  picture?: ReactNode;
}) {
  return (
    <div className="grid grid-cols-1 justify-items-center gap-3 rounded-lg border border-dashed border-edge/60 px-6 py-14 text-center max-[18rem]:px-3">
      {picture}
      <h2 className="font-title text-title">{title}</h2>
      <div className="max-w-sm text-sm text-balance text-soft">{children}</div>
      {action && <div className="mt-2 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  );
}
