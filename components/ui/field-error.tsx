import type { ReactNode } from 'react';

/** Error message below a field. */
export const FieldError = ({ id, children }: { id?: string; children: ReactNode }) =>
  children && (
    <p id={id} role="alert" className="text-xs font-medium text-danger">
      {children}
    </p>
  );
