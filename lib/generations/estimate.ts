import type { Caller } from '#lib/accounts/api-keys';
import { readBalance } from '#lib/accounts/ledger';
import type { EstimateWire } from '#lib/contract/schemas';
import { prepareGeneration } from '#lib/generations/prepare';

/** What a generate with this body would cost and use; charges and stores nothing. */
export async function estimateGeneration(
  caller: Caller,
  architectureId: string,
  body: Record<string, unknown>,
): Promise<EstimateWire> {
  const { gems, config, mentions, warnings } = await prepareGeneration(architectureId, body);
  const balance = await readBalance(caller.accountId);
  return {
    gems,
    balance,
    enough: balance >= gems,
    config,
    mentions: mentions.map(({ handle, id, kind }) => ({ handle, id, kind })),
    issues: [],
    ...(warnings.length > 0 && { warnings }),
  };
}
