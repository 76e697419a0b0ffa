import { singleton } from '#lib/singleton';

/** Under plain `next start`, nobody else keeps the process up to date with what operators change; `server.ts` does it itself. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || singleton('server', () => false)) return;
  const { followSettings } = await import('#lib/catalog/settings');
  await followSettings({ mirrored: false });
}
