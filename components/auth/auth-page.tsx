import type { ReactNode } from 'react';

/** Layout of sign-in and sign-up pages: title, form, and a link to the other page. */
export function AuthPage({
  title,
  lead,
  children,
  foot,
}: {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
  foot: ReactNode;
}) {
  return (
    <>
      <div className="grid gap-3">
        <h1 className="font-title text-head wrap-anywhere">{title}</h1>
        {lead && <p className="wrap-anywhere text-soft">{lead}</p>}
      </div>
      {children}
      <p className="border-t pt-5 text-sm text-soft">{foot}</p>
    </>
  );
}
