import type { z } from 'zod';
import { fileCatalog } from '#lib/catalog/catalog';
import type { ExaminationWire, serverAddress } from '#lib/contract/engine-schemas';
import { workflowsFor } from '#lib/engines/comfyui/workflows';
import { detectEngine, type Detected } from '#lib/engines/detect';
import { hostedAt } from '#lib/engines/hosted';
import { engineIds } from '#lib/engines/serving';
import { AppError } from '#lib/errors';
import { findRaw } from '#lib/operator/change-engines';
import { openSecret, sealedOf } from '#lib/operator/engine-entries';

/** Detects the engine at an address, which architectures of the catalog it can serve, and what it lacks for them. */
export async function examineServer({
  url: address,
  secret = null,
  engine_id,
}: z.input<typeof serverAddress>): Promise<ExaminationWire> {
  const kept = secret && sealedOf(secret, address, null, findRaw(engine_id ?? ''));
  if (kept === undefined) throw new AppError('invalid_request', 'No secret is kept for this address. Enter it.');
  const found = await detectEngine(address, kept ? openSecret(kept) : undefined);
  const { type, url, ok, version = null, dialect = null, detail = null, models, suggestions = {}, wantsSecret } = found;
  return {
    type,
    url,
    ok,
    // hosted services are recognised by their address and reveal nothing without a key
    wants_secret: wantsSecret ?? (!ok && !kept && hostedAt(url) !== undefined),
    version,
    program: dialect,
    detail,
    models,
    serves: type === 'comfyui' ? servesOf(found) : [],
    options: optionsOf(found),
    suggestions,
    id: freeId(dialect ?? type ?? 'engine'),
  };
}

/** Lists the live architectures that have a workflow, with what the server lacks for each. */
function servesOf({ lacks = [] }: Detected): ExaminationWire['serves'] {
  const made = new Map<string, ExaminationWire['serves'][number]>();
  for (const { architecture, models } of workflowsFor())
    for (const model_id of models) {
      const lacking = lacks.find(one => one.architecture === architecture && one.modelId === model_id);
      made.set(`${architecture}/${model_id}`, { architecture, model_id, lacks: lacking?.names ?? [] });
    }
  const live = new Set(
    fileCatalog()
      .list()
      .map(({ id }) => id),
  );
  return [...made.values()].filter(({ architecture }) => live.has(architecture));
}

/** Returns the options for an engine. One other than ComfyUI serves the architectures named in its model names. */
function optionsOf({ type, models, suggestions = {} }: Detected): Record<string, unknown> {
  if (type === null || type === 'comfyui') return {};
  const serves = models.flatMap(model =>
    fileCatalog()
      .list()
      .filter(({ id }) => plain(model).includes(plain(id)))
      .map(architecture => ({ architecture: architecture.id, ...suggestions[architecture.type], model })),
  );
  return { serves };
}

/** Returns the entry of `serves` for an architecture, with the server's suggested options for its type of media. */
export function entryFor(id: string, { suggestions }: Pick<ExaminationWire, 'suggestions'>): Record<string, unknown> {
  const architecture = fileCatalog().find(id);
  if (!architecture)
    throw new AppError('invalid_request', `There is no architecture ${id}. GET /v1/architectures lists all.`);
  return { architecture: id, ...suggestions[architecture.type] };
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Returns an engine id based on a name that is not in use. */
function freeId(name: string): string {
  const base = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const taken = new Set(engineIds());
  for (let nth = 1; ; nth++) {
    const id = nth === 1 ? base : `${base}-${nth}`;
    if (!taken.has(id)) return id;
  }
}
