import { eq, sql } from 'drizzle-orm';
import type { Architecture } from '#lib/catalog/catalog-file';
import { pool, type Tx } from '#lib/db/client';
import { follow } from '#lib/db/follow';
import { settings } from '#lib/db/schema';
import { singleton } from '#lib/singleton';

/** States that an operator set over those of the files, by architecture. */
export type ArchitectureStates = Readonly<Record<string, Architecture['state']>>;

const SETTING = 'architecture_states';
const CHANNEL = 'pomona_architecture_states';

const known = () => singleton('catalog.states', () => ({ text: '{}', states: {} as ArchitectureStates }));

/** Returns the states as this process knows them; a new object exactly when they change. */
export const architectureStates = (): ArchitectureStates => known().states;

/** Learns of changes immediately, whichever process makes them. */
export const followArchitectureStates = () => follow(CHANNEL, 'states of architectures', refreshArchitectureStates);

export async function refreshArchitectureStates(): Promise<void> {
  const { rows } = await pool().query<{ text: string }>({
    name: 'architecture_states',
    text: 'select value::text as text from settings where name = $1',
    values: [SETTING],
  });
  const text = rows[0]?.text ?? '{}';
  if (text !== known().text) Object.assign(known(), { text, states: JSON.parse(text) });
}

/** Sets a state over the file's; null lets the file decide. Returns the previously set state. */
export async function writeArchitectureState(
  id: string,
  state: Architecture['state'] | null,
  tx: Tx,
): Promise<Architecture['state'] | null> {
  await tx.insert(settings).values({ name: SETTING, value: {} }).onConflictDoNothing();
  const [row] = await tx
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.name, SETTING))
    .for('update');
  const { [id]: before = null, ...others } = (row?.value ?? {}) as ArchitectureStates;
  await tx
    .update(settings)
    .set({ value: state === null ? others : { ...others, [id]: state } })
    .where(eq(settings.name, SETTING));
  await tx.execute(sql`select pg_notify(${CHANNEL}, ${id})`);
  return before;
}
