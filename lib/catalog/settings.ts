import { followArchitectureStates, refreshArchitectureStates } from '#lib/catalog/architecture-states';
import { checkDocument } from '#lib/catalog/check-document';
import { followAbilities, refreshAbilities } from '#lib/catalog/engine-abilities';
import { followDocuments, refreshDocuments } from '#lib/documents/documents';
import { mirrorDocuments } from '#lib/documents/mirror';

/**
 * Keeps this process up to date with the operator's settings and with what engines can make. With `mirrored`, documents
 * are also kept as files on this machine.
 */
export async function followSettings({ mirrored }: { mirrored: boolean }): Promise<{ close(): Promise<void> }> {
  const documents = mirrored ? mirrorDocuments(checkDocument) : followDocuments();
  const followed = await Promise.all([documents, followArchitectureStates(), followAbilities()]);
  return {
    close: async () => void (await Promise.all(followed.map(one => one.close()))),
  };
}

/** Refreshes the same settings once. */
export async function refreshSettings(): Promise<void> {
  await Promise.all([refreshDocuments(), refreshArchitectureStates(), refreshAbilities()]);
}
