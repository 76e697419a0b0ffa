import { resolveMediaInput } from '#lib/uploads/resolve';
import type { MediaField } from '#lib/uploads/media-input';

/** Length and shape of a source video, for its price. */
export async function measureSourceVideo(
  accountId: string,
  value: unknown,
  field: MediaField,
): Promise<{ duration: number; width: number; height: number }> {
  const { duration, width, height } = await resolveMediaInput(accountId, value, 'video', field);
  return { duration: duration ?? 0, width: width ?? 0, height: height ?? 0 };
}
