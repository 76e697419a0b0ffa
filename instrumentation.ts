import { singleton } from '#lib/singleton';

/** Under plain `next start`, follows the settings that operators change; `server.ts` does this itself. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || singleton('server', () => false)) return;
  const { followSettings } = await import('#lib/catalog/settings');
  await followSettings({ mirrored: false });
}
