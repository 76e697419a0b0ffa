import type { Caller } from '#lib/accounts/callers';
import { readBudgetLeft } from '#lib/accounts/key-spending';
import { readBalance } from '#lib/accounts/ledger';
import type { EstimateWire } from '#lib/contract/schemas';
import { requireMayGenerate } from '#lib/generations/admit';
import { lookAtMedia } from '#lib/generations/measure-videos';
import {
  configWith,
  issuesSeen,
  isUnmeasured,
  priceWith,
  readGeneration,
  warningsWith,
} from '#lib/generations/prepare';
import { requireAllowed, requireUnflagged } from '#lib/generations/screen';

/**
 * Estimates a generate request: its price and config, and all issues that can be found without opening media. Charges
 * nothing. Only the headers of source videos are read, because no other media affect the price.
 */
export async function estimateGeneration(
  caller: Caller,
  architectureId: string,
  body: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<EstimateWire> {
  const { accountId } = caller;
  requireMayGenerate(caller);
  const read = await readGeneration(accountId, architectureId, body);
  const { architecture, config, mentions } = read;
  if (typeof config.prompt === 'string') {
    requireAllowed(config.prompt, architecture.id);
    await requireUnflagged(config.prompt);
  }
  const measured = await lookAtMedia(accountId, read, signal);
  const gems = priceWith(read, measured);
  const warnings = warningsWith(read, measured, body);
  return {
    gems,
    ...(await fundsFor(caller, gems)),
    config: configWith(read, measured),
    mentions: mentions.map(({ handle, id, kind }) => ({ handle, id, kind })),
    issues: [...read.issues, ...issuesSeen(read, measured)],
    ...(isUnmeasured(read, measured) && { requires_media_measurement: true as const }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** Returns the balance and the remaining budget of the key, and whether they cover a price. */
export async function fundsFor(
  caller: Caller,
  gems: number,
): Promise<Pick<EstimateWire, 'balance' | 'budget_left' | 'enough'>> {
  const balance = await readBalance(caller.accountId);
  const budget = await readBudgetLeft(caller);
  const enough = gems <= Math.min(balance, budget);
  return { balance, ...(budget !== Infinity && { budget_left: budget }), enough };
}
