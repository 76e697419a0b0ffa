import type { useRouter } from 'next/navigation';
import { fitConfig, modelOf, type Config } from '#components/studio/config';
import { changeDraft, draftOf } from '#components/studio/drafts';
import { readFileSettings } from '#components/studio/read-file-settings';
import { readSnippet, type Settings } from '#components/studio/read-snippet';
import { toast } from '#components/ui/toast';
import { api } from '#lib/client/queries';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

const UNDO_MS = 10_000;

/** The mounted form, and the other forms that settings may be for. */
interface Forms {
  entry: CatalogEntry;
  entries: readonly CatalogEntry[];
  router: ReturnType<typeof useRouter>;
}

/**
 * Fills the form of the settings' architecture, and opens that form if another one is mounted. Returns false, and says
 * so, when there is no such model.
 */
export function takeSettings({ architecture, config: given }: Settings, { entry, entries, router }: Forms): boolean {
  const target = architecture === undefined ? entry : entries.find(({ id }) => id === architecture);
  if (!target) {
    toast({ title: `There is no model ${architecture} here.`, description: 'Nothing was changed.', tone: 'bad' });
    return false;
  }
  const { config, dropped } = fitConfig(target, given);
  const before = draftOf(target);
  changeDraft(target, () => config);
  if (target !== entry) router.push(`/create/${target.id}`);
  const title = `Settings of ${target.name}, ${modelOf(target, config)}`;
  const offer = offerUndo(() => {
    changeDraft(target, () => before);
    if (target !== entry) router.push(`/create/${entry.id}`);
  });
  if (!dropped.length) toast({ title, description: 'They are all in the form.', ...offer });
  else void explain(target, given, dropped).then(description => toast({ title, description, tone: 'bad', ...offer }));
  return true;
}

/** The Undo button of a toast about a replaced draft. */
export const offerUndo = (onPress: () => void) => ({ duration: UNDO_MS, action: { label: 'Undo', onPress } });

/** Fills the form from the settings in a file of this service. Returns false when the file has none. */
export async function takeFile(file: Blob, forms: Forms): Promise<boolean> {
  const settings = await readFileSettings(file);
  if (settings) takeSettings(settings, forms);
  return settings !== null;
}

/** Fills the form from a curl command or JSON, like `takeSettings`. Throws errors with messages for users. */
export const takeSnippet = (text: string, forms: Forms): boolean => takeSettings(readSnippet(text), forms);

/** Asks the server why fields were dropped: it names their equivalents here, or which models take such a value. */
async function explain(target: CatalogEntry, given: Config, dropped: string[]): Promise<string> {
  const estimate = await api.estimate({ params: { architecture: target.id }, body: given }).catch(() => null);
  const said = [...(estimate?.issues ?? []), ...(estimate?.warnings ?? [])].filter(({ path }) =>
    dropped.some(name => path === `/${name}` || path.startsWith(`/${name}/`)),
  );
  return said.map(({ message }) => message).join(' ') || `Not used: ${dropped.join(', ')}.`;
}
