import { AppError } from '#lib/errors';

/** The account that wants to save a character or a reference, and whether the operator lets it. */
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
