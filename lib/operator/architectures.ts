import { recordAct, type Actor } from '#lib/accounts/audit';
import type { Architecture } from '#lib/catalog/catalog-file';
import {
  architectureStates,
  refreshArchitectureStates,
  writeArchitectureState,
} from '#lib/catalog/architecture-states';
import { catalog, fileCatalog } from '#lib/catalog/catalog';
import { priceOf } from '#lib/catalog/price';
import { resolveConfig } from '#lib/catalog/resolve-config';
import type { AdminArchitectureWire } from '#lib/contract/admin-schemas';
import { db } from '#lib/db/client';
import { servingOf } from '#lib/engines/serving';
import { AppError } from '#lib/errors';

/** Lists every architecture with its effective state, the state in its file and the operator's override. */
export async function listAllArchitectures(): Promise<AdminArchitectureWire[]> {
  await refreshArchitectureStates();
  return catalog().all().map(toWire);
}

/** Overrides the state of an architecture, in every process within seconds; null restores the state in its file. */
export async function changeArchitecture(
  actor: Actor,
  id: string,
  state: Architecture['state'] | null,
): Promise<AdminArchitectureWire> {
  if (!catalog().find(id)) throw new AppError('architecture_not_found', 'There is no such architecture.');
  await db().transaction(async tx => {
    const before = await writeArchitectureState(id, state, tx);
    const act = { act: 'architecture.state', subject: id, before: { state: before }, after: { state } };
    if (before !== state) await recordAct(actor, act, tx);
  });
  await refreshArchitectureStates();
  return toWire(catalog().find(id)!);
}

const toWire = (architecture: Architecture): AdminArchitectureWire => ({
  id: architecture.id,
  name: architecture.name,
  type: architecture.type,
  model_ids: fileCatalog().find(architecture.id)?.model_ids ?? [],
  state: architecture.state,
  file_state: fileCatalog().find(architecture.id)?.state ?? architecture.state,
  override: architectureStates()[architecture.id] ?? null,
  engine: servingOf(architecture.id, architecture.default_model_id)?.engine ?? '',
  gems: priceOf(architecture, resolveConfig(architecture, {}).config),
});
