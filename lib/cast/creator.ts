import { AppError } from '#lib/errors';

/** Account that saves a character or reference, and whether the operator permits it. */
export interface Creator {
  accountId: string;
  mayCreateCast: boolean;
}

export function requireCreator({ mayCreateCast }: Creator): void {
  if (mayCreateCast) return;
  throw new AppError(
    'forbidden',
    'The operator switched off creating and changing characters and references for this account.',
  );
}
