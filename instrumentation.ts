import { singleton } from '#lib/singleton';

/** Under plain `next start`, nobody else keeps the process up to date with what operators change; `server.ts` does it itself. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || singleton('server', () => false)) return;
  const [{ followArchitectureStates }, { followAbilities }, { followDocuments }] = await Promise.all([
    import('#lib/catalog/architecture-states'),
    import('#lib/catalog/engine-abilities'),
    import('#lib/documents/documents'),
  ]);
  await Promise.all([followArchitectureStates(), followAbilities(), followDocuments()]);
}
