import type { useRouter } from 'next/navigation';
import { fitConfig, modelOf, type Config } from '#components/studio/config';
import { changeDraft, draftOf } from '#components/studio/drafts';
import { readFileSettings } from '#components/studio/read-file-settings';
import { readSnippet, type Settings } from '#components/studio/read-snippet';
import { toast } from '#components/ui/toast';
import { api } from '#lib/client/queries';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

const UNDO_MS = 10_000;

/** The form on the page, and the others that settings may be for. */
interface Forms {
  entry: CatalogEntry;
  entries: readonly CatalogEntry[];
  router: ReturnType<typeof useRouter>;
}

/** Fills the form from settings, going to the form of their architecture when it is another one. */
export function takeSettings({ architecture, config: given }: Settings, { entry, entries, router }: Forms): void {
  const target = architecture === undefined ? entry : entries.find(({ id }) => id === architecture);
  if (!target) {
    toast({ title: `There is no model ${architecture} here.`, description: 'Nothing was changed.', tone: 'bad' });
    return;
  }
  const { config, dropped } = fitConfig(target, given);
  const before = draftOf(target);
  changeDraft(target, () => config);
  if (target !== entry) router.push(`/create/${target.id}`);
  const title = `Settings of ${target.name}, ${modelOf(target, config)}`;
  const undo = () => {
    changeDraft(target, () => before);
    if (target !== entry) router.push(`/create/${entry.id}`);
  };
  const offer = { duration: UNDO_MS, action: { label: 'Undo', onPress: undo } };
  if (!dropped.length) toast({ title, description: 'They are all in the form.', ...offer });
  else void explain(target, given, dropped).then(description => toast({ title, description, tone: 'bad', ...offer }));
}

/** Fills the form from what a file of this service carries. False when it carries none. */
export async function takeFile(file: Blob, forms: Forms): Promise<boolean> {
  const settings = await readFileSettings(file);
  if (settings) takeSettings(settings, forms);
  return settings !== null;
}

/** Fills the form from a curl command or JSON. Throws words for people. */
export const takeSnippet = (text: string, forms: Forms): void => takeSettings(readSnippet(text), forms);

/** Why some members were not taken, as the server says it: it names what they are called here, or who takes such a value. */
async function explain(target: CatalogEntry, given: Config, dropped: string[]): Promise<string> {
  const estimate = await api.estimate({ params: { architecture: target.id }, body: given }).catch(() => null);
  const said = [...(estimate?.issues ?? []), ...(estimate?.warnings ?? [])].filter(({ path }) =>
    dropped.some(name => path === `/${name}` || path.startsWith(`/${name}/`)),
  );
  return said.map(({ message }) => message).join(' ') || `Not used: ${dropped.join(', ')}.`;
}
