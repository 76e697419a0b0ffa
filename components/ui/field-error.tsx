import type { ReactNode } from 'react';

/** What is wrong with a field, below it. */
export const FieldError = ({ id, children }: { id?: string; children: ReactNode }) =>
  children && (
    <p id={id} role="alert" className="text-xs font-medium text-danger">
      {children}
    </p>
  );
